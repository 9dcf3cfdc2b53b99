import pg from 'pg';
import { numberPlaceholders } from '../../server/platform/store/placeholders.ts';
import type { SqlValue, Transaction } from '../../server/platform/store/store.ts';

/** A step of a plan of PostgreSQL; the last three only where it was run. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
}

interface Explained {
  sql: string;
  parameters: readonly SqlValue[];
  /** Of EXPLAIN; in the format JSON. */
  options: string;
}

/** Returns the plan of a prepared statement, with the settings of the transaction. */
export async function planOf(tx: Transaction, { sql, parameters, options }: Explained): Promise<PlanNode> {
  tx.send(`PREPARE planned AS ${numberPlaceholders(sql)}`);
  const values = parameters.map((value) =>
    typeof value === 'string' ? pg.escapeLiteral(value) : (value ?? 'NULL'),
  );
  const given = values.length > 0 ? ` (${values.join(', ')})` : '';
  const row = await tx.get(`EXPLAIN (${options}) EXECUTE planned${given}`);
  tx.send('DEALLOCATE planned');
  const [{ Plan: plan }] = row!['QUERY PLAN'] as unknown as [{ Plan: PlanNode }];
  return plan;
}

/** Returns a step and all below it. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
