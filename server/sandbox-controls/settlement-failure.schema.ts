import { Type } from '../../protocol/schema.ts';
import { FAILING } from '../api/payments/settlement-failure.ts';

export const Failing = Type.Enum([...FAILING]);
