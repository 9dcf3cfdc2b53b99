#!/usr/bin/env node
import { requireSupportedNode } from './supported-node.mjs';

requireSupportedNode();
// Later, and without a top-level await: on an older Node the modules below fail while they load.
void import('./process-main.ts');
