#!/usr/bin/env node
import module from 'node:module';
import { requireSupportedNode } from './supported-node.mjs';

requireSupportedNode();
// Only then do stack traces name the sources: reading the source maps takes long.
if (['debug', 'trace'].includes(process.env['LOG_LEVEL'] ?? '')) process.setSourceMapsEnabled(true);
// Node 22.8 and later keep compiled code for the next start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
// Later, and without a top-level await: on an older Node the modules below fail while they load.
void import('./process-main.ts');
