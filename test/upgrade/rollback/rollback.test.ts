import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as places from '../../../shared/store/keys.ts';
import { clock } from '../../support/clock.ts';
import { giveUpEarly } from '../../support/give-up-early.ts';
import { describeWith020 } from '../../support/released/version-0-2-0.ts';
import { type ChangingStack, startChangingStack, type Version } from '../version-0-2-0/changing-stack.ts';
import { allWorkers, linesOfCarried, workOn } from './carried.ts';
import { type CrossReading, crossRead, type Functions, isPlain, type StoredKind, tableOf } from './form.ts';
import { forms } from './forms.ts';
import { plainRows, readElsewhere, unknownLines, unknownRows } from './unknown-rows.ts';

const page = 'docs/releases.md';
const section = /(<!-- step back -->\n)([\s\S]*?)(\n<!-- \/step back -->)/;

describeWith020('The table of a step back (UPDATE_DOCS=1 rewrites it)', () => {
  let stack: ChangingStack;
  let today: Functions;
  let earlier: Functions;
  beforeAll(async () => {
    clock.stopAt('2031-03-01T12:00:00.000Z');
    stack = await startChangingStack();
    const { body } = await stack.api.call('GET /webhooks');
    for (const { id } of body.data) await stack.api.call(`DELETE /webhooks/${id}`);
    const adminKey = await stack.api.addKey({ access: 'admin' });
    const functionsOf = (version: Version): Functions => ({
      version,
      adminKey,
      call: (version === 'today' ? stack.api : stack.before).call,
      work: () => workOn(stack, allWorkers(version)),
    });
    [today, earlier] = [functionsOf('today'), functionsOf('0.2.0')];
  });
  afterAll(async () => {
    clock.run();
    await stack.stop();
  });
  giveUpEarly();

  it('is what the functions of both versions do, and says what each difference means', async () => {
    const lines: CrossReading[] = [];
    for (const form of forms) lines.push(await crossRead(form, today, earlier));
    lines.push(...(await linesOfCarried(stack)), ...unknownLines);
    expect(lines.filter(({ todayReads }) => !['✓', '–'].includes(todayReads))).toEqual([]);
    expect(lines.filter((line) => !isPlain(line) && line.stepBack === '')).toEqual([]);
    const text = readFileSync(page, 'utf8');
    if (process.env['UPDATE_DOCS'] !== undefined)
      writeFileSync(
        page,
        text.replace(section, (_, begin, __, end) => begin + tableOf(lines) + end),
      );
    else expect(section.exec(text)?.[2]).toBe(tableOf(lines));
  });

  it('has every kind of row, and calls only those unknown that 0.2.0 does not know', async () => {
    const { keys } = places;
    type Keys = Record<string, (...parts: readonly string[]) => object>;
    const { keys: earlierKeys } = await stack.before.load<{ keys: Keys }>('shared/store/keys.ts');
    const unknown = unknownRows.flatMap(({ rows }) => rows);
    const tested = [...forms.flatMap(({ rows }) => rows), ...Object.keys(readElsewhere), ...Object.keys(plainRows)];
    const tabled: readonly string[] = [...tested, ...unknown];
    expect(Object.keys(keys).filter((kind) => !tabled.includes(kind))).toEqual([]);
    expect(unknown.filter((kind: StoredKind) => kind in earlierKeys)).toEqual([]);
    expect(Object.values(readElsewhere).filter((file) => !existsSync(file))).toEqual([]);
    for (const [kind, parts] of Object.entries(plainRows))
      expect(earlierKeys[kind]?.(...parts)).toEqual((keys as unknown as Keys)[kind]?.(...parts));
  });

  it('has every partition of due rows that the sweep of 0.2.0 does not read', async () => {
    const earlier020 = Object.keys(await stack.before.load<object>('shared/store/keys.ts'));
    const added = Object.keys(places).filter((name) => /duePartition/i.test(name) && !earlier020.includes(name));
    expect(unknownRows.flatMap(({ duePartitions = [] }) => duePartitions).sort()).toEqual(added.sort());
  });
});
