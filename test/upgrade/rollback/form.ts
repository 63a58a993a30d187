import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { keys, type RowKey } from '../../../shared/store/keys.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import type { Release } from '../../support/released/version-0-2-0.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import type { Version } from '../version-0-2-0/changing-stack.ts';

/** The functions of one version on a stack. */
export interface Functions extends Pick<Release, 'call'> {
  version: Version;
  /** A key that may do everything. */
  adminKey: string;
  /** The workers of this version do all that is due. */
  work(): Promise<void>;
}

export type StoredKind = keyof typeof keys;

/** A form of what a stack stores: how it is written, read and changed by the functions of a version. */
export interface Form {
  /** Its name in the table of docs/releases.md. */
  what: string;
  /** The kinds of rows that have it. The first is the row of its id, if it can be changed. */
  rows: readonly [StoredKind, ...StoredKind[]];
  /** Whether only this version can write it. */
  isNew?: boolean;
  /** Stores it, and returns its id. */
  write(by: Functions): Promise<string>;
  read(by: Functions, id: string): Promise<ApiAnswer>;
  /** Writes its row again. */
  change?(by: Functions, id: string): Promise<ApiAnswer>;
  /** What to know before a step back, if 0.2.0 cannot read it, change it or keep all of it. */
  stepBack?: string;
}

/** The row of the table about a form. */
export interface CrossReading {
  what: string;
  todayReads: string;
  earlierReads: string;
  earlierChanges: string;
  stepBack: string;
}

const fine = '✓';
const nothing = '–';

const answerOf = ({ status, body }: ApiAnswer): string =>
  status < 400 ? fine : `✗ ${status}${body?.code ? ` \`${body.code}\`` : ''}`;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const below = (path: string, name: string): string => {
  if (/^\d+$/.test(name)) return `${path}[]`;
  return path === '' ? name : `${path}.${name}`;
};

/** The paths of the values that are in the first answer and not in the second one. */
function lostFields(before: unknown, after: unknown, path = ''): string[] {
  if (!isEmpty(before) && isEmpty(after)) return [path];
  if (!isObject(before) || !isObject(after)) return [];
  return Object.entries(before).flatMap(([name, value]) => lostFields(value, after[name], below(path, name)));
}

/** The paths of the values that both answers have, and that differ. A cursor is a new one each time. */
function differing(shown: unknown, read: unknown, path = ''): string[] {
  if (isObject(shown) && isObject(read))
    return Object.keys(read).flatMap((name) =>
      name in shown && name !== 'next_cursor' ? differing(shown[name], read[name], below(path, name)) : [],
    );
  return shown === read ? [] : [path];
}

/** Fields that nobody reads again once a payment has begun. */
const spent = ['asksBy'];

const named = (paths: readonly string[]): string => [...new Set(paths)].map((path) => `\`${path}\``).join(', ');

/** Reads by one version what another one has shown: it must show the same values, as far as it knows their fields. */
async function readAcross(form: Form, id: string, shows: Functions, reads: Functions): Promise<string> {
  const [shown, read] = [await form.read(shows, id), await form.read(reads, id)];
  const others = differing(shown.body, read.body);
  return read.status >= 400 || others.length === 0 ? answerOf(read) : `${fine}, another ${named(others)}`;
}

/** What is stored of a form, in the row that has its id. */
async function storedRow({ rows: [kind] }: Form, id: string): Promise<unknown> {
  const key = (keys[kind] as (id: string) => RowKey)(id);
  const { Item } = await table().client.send(
    new GetCommand({ TableName: table().name, Key: key, ConsistentRead: true }),
  );
  return Item && dataIn(Item);
}

/** Changes what this version wrote. Returns the answer, and the stored fields that are lost. */
async function changeBy(version: Functions, form: Form, id: string, change: Required<Form>['change']) {
  const before = await storedRow(form, id);
  const answer = answerOf(await change(version, id));
  return { answer, lost: lostFields(before, await storedRow(form, id)) };
}

/** A field that this version loses too, such as the time of the next attempt, ends with the change. */
async function changeByEarlier(form: Form, id: string, today: Functions, earlier: Functions): Promise<string> {
  const { change } = form;
  if (!change) return nothing;
  const { answer, lost } = await changeBy(earlier, form, id, change);
  const ended = lost.length > 0 ? (await changeBy(today, form, await form.write(today), change)).lost : [];
  const dropped = lost.filter((path) => !ended.includes(path) && !spent.includes(path));
  return dropped.length === 0 ? answer : `${answer}, drops ${named(dropped)}`;
}

/** Writes a form with each version, reads it with the other one, and lets 0.2.0 change what this version wrote. */
export async function crossRead(form: Form, today: Functions, earlier: Functions): Promise<CrossReading> {
  const write = (by: Functions): Promise<string> => {
    clock.forward({ minutes: 1 }); // what is listed by time has one order
    return form.write(by);
  };
  const todayReads = form.isNew ? nothing : await readAcross(form, await write(earlier), earlier, today);
  const id = await write(today);
  return {
    what: form.what,
    todayReads,
    earlierReads: await readAcross(form, id, today, earlier),
    earlierChanges: await changeByEarlier(form, id, today, earlier),
    stepBack: form.stepBack ?? '',
  };
}

/** Whether 0.2.0 handles what this version wrote as it handles its own. */
export const isPlain = ({ earlierReads, earlierChanges }: CrossReading): boolean =>
  earlierReads === fine && [fine, nothing].includes(earlierChanges);

const rowOf = ({ what, todayReads, earlierReads, earlierChanges, stepBack }: CrossReading): string =>
  `| ${what} | ${todayReads} | ${earlierReads} | ${earlierChanges} | ${stepBack} |`;

export const tableOf = (lines: readonly CrossReading[]): string =>
  [
    '| what | this version reads what 0.2.0 wrote | 0.2.0 reads what this version wrote | 0.2.0 changes that | before a step back |',
    '|---|---|---|---|---|',
    ...lines.map(rowOf),
  ].join('\n');
