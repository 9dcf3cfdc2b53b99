/** What the CPU profiles of 2026-11-24 show of the rows that miss their aim, as paragraphs of Markdown. */
export const BOUNDS = [
  'CPU profiles (`--profile`) of 2026-11-24 show where the server spends its time in the rows that miss their aim. No single part ' +
    'stands out any more; one that did, the log of requests, was mended that day.',
  '**Payments at 200 terminals.** The server has one thread, so the rate is a second divided by the CPU time of a payment. Of that, SQLite ' +
    'takes 22 % to 28 %: some 45 statements, and a third of it for commits. About thirty transactions share a commit, which ' +
    'writes 134 pages of 4 KiB. Socket writes take 9 %: MQTT packets, the reply, four webhooks. Garbage collection takes 6 %, masking and ' +
    'storing what the dashboard shows 5 %. No other source file has more than 2.5 %. The bare parts append a line to a file where ' +
    'Tapbench updates tables and their indexes, and check, mask and record nothing.',
  '**One payment at a time.** Five transactions follow one another, each synced, between four messages. Of the 12 ms some 3 ms are the ' +
    'disk and the network, as in the baseline; the rest is the CPU time of the server and of the terminal, one after the other.',
  '**Create and fetch.** A create is 18 % SQLite (a row of forty columns and three indexes, and its share of a commit), 8 % the handover of the sync to another ' +
    'thread, 7 % the write of the reply. The baseline reuses its ' +
    'connections, as ours does; the aims were set when it did not, and dd4ce52 then had 0.34 and 0.40 of it.',
  '**PostgreSQL.** A sandbox is a schema. Its tables are made beforehand; a fork then copies the rows with one statement for each ' +
    'table, all sent at once.',
];
