import { expect, test } from 'vitest';
import { checker, Type, withDescription } from '../../protocol/schema.ts';

test('withDescription: a copy of an optional schema is optional', () => {
  const Code = Type.Optional(Type.String({ maxLength: 3, description: 'A code' }));
  const problems = checker(
    Type.Object({
      code: withDescription(Code, 'Code of the bank'),
      name: withDescription(Type.String(), 'Name'),
    }),
  );
  expect(problems({ name: 'A' })).toEqual([]);
  expect(problems({ name: 'A', code: '1234' })).toHaveLength(1);
  expect(problems({})).toHaveLength(1);
});

test('withDescription: the schema that was copied keeps its own description', () => {
  const Code = Type.Optional(Type.String({ description: 'A code' }));
  expect(withDescription(Code, 'Code of the bank')).toMatchObject({ description: 'Code of the bank' });
  expect(Code).toMatchObject({ description: 'A code' });
});
