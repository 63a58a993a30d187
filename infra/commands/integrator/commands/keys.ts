import * as z from 'zod';
import { accessLevels } from '../../../../shared/domain/access/access.ts';
import { isCurrency } from '../../../../shared/domain/money/currency.ts';
import { UsageError } from '../../../usage-error.ts';
import { CreatedKey, KeyRecord } from '../answers.ts';
import type { IntegratorCommand, TypedWords } from '../command.ts';
import { confirmOr } from '../confirm.ts';
import { NotHappened } from '../failures.ts';
import { minorUnitsOf } from '../money.ts';
import { readProfiles, writeProfiles } from '../profiles.ts';
import { plainText, tableText } from '../table-text.ts';

const KeyList = z.object({ items: z.array(KeyRecord) });

/** `500.00EUR` */
function refundLimitOf(typed: TypedWords) {
  const text = typed.text('daily-refund-limit');
  if (text === undefined) return {};
  const [, amount = '', currency = ''] = /^([\d.]+) ?([A-Z]{3})$/.exec(text) ?? [];
  if (!isCurrency(currency))
    throw new UsageError('--daily-refund-limit must be an amount with its currency: 500.00EUR.');
  return { daily_refund_limit: { amount: minorUnitsOf('--daily-refund-limit', amount, currency), currency } };
}

const keyRow = ({ id, access, may_refund, last_four, revoked_at, expires_at, name }: KeyRecord) => [
  id,
  access,
  may_refund ? 'yes' : 'no',
  `…${last_four}`,
  revoked_at ? 'revoked' : 'in use',
  expires_at ?? 'never',
  plainText(name),
];

export const keyCommands: readonly IntegratorCommand[] = [
  {
    name: 'keys list',
    summary: 'Lists the API keys of the stack, by their last four characters.',
    examples: ['keys list'],
    run: async (_, { connect }) => {
      const { items } = KeyList.parse(await (await connect()).get('/api-keys'));
      const head = ['key', 'access', 'refunds', 'ends with', 'state', 'expires', 'name'];
      return { text: tableText(head, items.map(keyRow)), json: items };
    },
  },
  {
    name: 'keys create',
    summary: 'Creates an API key. Needs an admin key.',
    takes: ['<name>'],
    options: {
      access: { value: '<level>', help: 'what it may do; default: read', choices: accessLevels },
      'no-refunds': { help: 'it may not refund' },
      'daily-refund-limit': { value: '<amount>', help: 'it refunds at most so much a day: 500.00EUR' },
      expires: { value: '<time>', help: 'when it ends: 2027-01-01T00:00:00Z' },
      save: { value: '<profile>', help: 'saves the key as a profile instead of printing it' },
    },
    examples: ['keys create "Web shop" --access write --save shop', 'keys create Reports --access read'],
    run: async (typed, { connect, environment: { profilesFile } }) => {
      const api = await connect();
      const body = {
        name: typed.word(0),
        access: typed.text('access'),
        expires_at: typed.text('expires'),
        ...(typed.flag('no-refunds') && { may_refund: false }),
        ...refundLimitOf(typed),
      };
      const profile = typed.text('save');
      const profiles = await readProfiles(profilesFile);
      const made = CreatedKey.parse(await api.post('/api-keys', body));
      const { key, ...record } = made;
      if (key === null)
        throw new NotHappened(`${made.id} was created, but its answer was lost. Revoke it and try again.`);
      if (profile === undefined) return { text: `${made.id}\n${key}\nIt is shown only this time.`, json: made };
      await writeProfiles(profilesFile, { ...profiles, [profile]: { url: api.url, key } });
      return { text: `${made.id} is saved as the profile ${profile}.`, json: record };
    },
  },
  {
    name: 'keys revoke',
    summary: 'Revokes an API key: its next call is refused. Needs an admin key.',
    takes: ['<key id>'],
    options: {
      descendants: { help: 'also revokes the keys that it created' },
      yes: { help: 'revokes without asking' },
    },
    examples: ['keys revoke key_… --yes'],
    run: async (typed, desk) => {
      const id = typed.word(0);
      const api = await desk.connect();
      await confirmOr(typed, desk, { question: `Revoke ${id}?`, refusal: 'Nothing was revoked.' });
      const json = await api.delete(`/api-keys/${encodeURIComponent(id)}`, {
        descendants: String(typed.flag('descendants')),
      });
      return { text: `${id} is revoked.`, json };
    },
  },
];
