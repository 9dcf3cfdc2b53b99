import { testMutatedLines } from '../../../kit/lines/test-mutated-lines.ts';

testMutatedLines('ecr17');
