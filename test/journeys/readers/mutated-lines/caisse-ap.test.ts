import { testMutatedLines } from '../../../kit/lines/test-mutated-lines.ts';

testMutatedLines('caisse-ap');
