import { runExamples } from './run-examples.ts';

runExamples('faults');
