// Checks the machines of terminal and server together: `npm run model-check -- [options]`. With `--mutants` it checks the check.
import { pathToFileURL } from 'node:url';
import { bundleModelCheck } from './bundle-model-check.mjs';

const file = await bundleModelCheck(process.argv.includes('--mutants') ? 'mutants/main' : 'main');
await import(pathToFileURL(file).href);
