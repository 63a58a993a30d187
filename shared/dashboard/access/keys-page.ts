import { type ApiKey, apiKeyIdOf, isInUse } from '../../domain/access/api-key.ts';
import { descendantsOf } from '../../domain/access/api-key-list.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { SignIn } from '../../domain/access/sign-in.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  badge,
  checkBox,
  choices,
  copyField,
  dataTable,
  date,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  money,
  time,
} from '../parts.ts';
import type { KeyDraft } from './read-key-form.ts';

const commands = dashboardCommands.keys;

const section = '/dashboard/keys';

interface KeysView {
  keys: readonly ApiKey[];
  /** The other sessions that are open with the key that looks. */
  sessions: readonly SignIn[];
  /** The key that looks. */
  own: string;
  now: string;
  /** A key that this request created. It is never shown again. */
  plain: string | undefined;
  draft: KeyDraft;
  faults: readonly FormFault[];
}

export const keysPage = (frame: Frame, view: KeysView) =>
  dashboardAnswer(
    frame,
    {
      title: 'API keys',
      section,
      main: html`${view.plain && newKey(view.plain)}${faultSummary(view.faults)}
${view.keys.length === 0 ? emptyState('No keys', 'Keys that you create here or by the API appear here.') : html`<section class="card">${keyTable(frame, view)}</section>`}
${view.sessions.length > 0 && sessionsCard(frame, view.sessions)}
${may(frame, commands.create) && createForm(frame, view)}`,
    },
    { statusCode: view.faults.length > 0 ? 422 : 200 },
  );

const newKey = (plain: string): Html => html`<section class="card" role="status"><h2>Your new key</h2>
<p class="note wait">Copy it now. It is not stored, so it cannot be shown again.</p>
${copyField('new-key', 'API key', plain)}</section>`;

const keyTable = (frame: Frame, { keys, own, now }: KeysView): Html =>
  dataTable(
    'API keys',
    [
      {
        label: 'Name',
        cell: (key) =>
          html`<strong dir="auto">${key.name}</strong>${key.hash === own && html` ${badge('this session', 'good')}`}<span class="hint"><code>…${key.lastFour}</code></span>`,
      },
      { label: 'May', cell: rightsOf },
      { label: 'Created', cell: ({ createdAt }) => date(createdAt) },
      { label: 'State', cell: (key) => stateOf(key, now) },
      {
        label: '',
        cell: (key) =>
          isInUse(key, now)
            ? revoking(frame, key, { own, made: descendantsOf({ keys: [...keys] }, apiKeyIdOf(key), now).length })
            : '',
      },
    ],
    keys,
  );

const sessionsCard = (frame: Frame, sessions: readonly SignIn[]): Html =>
  html`<section class="card" aria-labelledby="sessions-title"><h2 id="sessions-title">Other sessions of your key</h2>
${dataTable(
  'Other sessions of your key',
  [
    { label: 'Signed in', cell: ({ startedAt }: SignIn) => time(startedAt) },
    { label: 'Until', cell: ({ expiresAt }: SignIn) => time(expiresAt) },
    {
      label: '',
      cell: ({ id }: SignIn) =>
        actionButton(frame, {
          to: section,
          action: 'end_session',
          needs: commands.end_session,
          label: 'End it',
          fields: { session_id: id },
        }),
    },
  ],
  [...sessions].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)),
)}</section>`;

const levels = { read: 'read', write: 'read and write', admin: 'read, write and administer' } as const;

/** The rights of a key, in a few words. */
function rightsOf({ access, refunds }: ApiKey): Html {
  const { perDay } = refunds ?? {};
  const refunding = perDay
    ? `refunds up to ${money(perDay.amount, perDay.currency)} a day`
    : refunds
      ? 'refunds'
      : 'no refunds';
  return html`${levels[access]}<span class="hint">${refunding}</span>`;
}

function stateOf(key: ApiKey, now: string): Html {
  if (key.revokedAt) return html`${badge('revoked', 'bad')}<span class="hint">${date(key.revokedAt)}</span>`;
  if (!isInUse(key, now)) return badge('expired', 'none');
  return html`${badge('in use')}${key.expiresAt && html`<span class="hint">until ${date(key.expiresAt)}</span>`}`;
}

const revoking = (frame: Frame, key: ApiKey, { own, made }: { own: string; made: number }): Html =>
  guarded(
    frame,
    'Revoke',
    key.hash === own
      ? 'The next call with it is refused. You are signed in with this key, so you are signed out as well.'
      : 'The next call with it is refused. This cannot be undone.',
    {
      to: section,
      action: 'revoke',
      needs: commands.revoke,
      label: 'Revoke',
      fields: { id: apiKeyIdOf(key) },
      choice: made > 0 ? withDescendants(key, made) : undefined,
    },
  );

const limitFault = (faults: readonly FormFault[]): string | undefined =>
  messageAt(faults, 'limit') && 'Enter an amount above 0 and its currency, such as 500.00 and EUR.';

/** Offers to revoke the keys that this key created, because a thief may have created some. */
const withDescendants = (key: ApiKey, made: number): Html =>
  checkBox({
    id: `descendants-${apiKeyIdOf(key)}`,
    name: 'descendants',
    label:
      made === 1
        ? 'Also revoke the key that it created'
        : `Also revoke the ${made} keys that it created, directly or through other keys`,
    isChecked: false,
  });

const createForm = (
  frame: Frame,
  { draft, faults }: KeysView,
): Html => html`<section class="card" aria-labelledby="new-title"><h2 id="new-title">New key</h2>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
${textField({ id: 'name', name: 'name', label: 'Name', value: draft.name, isRequired: true, maxLength: 100, hint: 'What it is for, such as “Web shop”.', fault: messageAt(faults, 'name') })}
${choices('access', 'It may', draft.access, [
  { value: 'read', label: 'Read', hint: 'See everything, change nothing.' },
  { value: 'write', label: 'Read and write', hint: 'Create products and checkouts: what a shop needs.' },
  {
    value: 'admin',
    label: 'Administer',
    hint: 'Also manage keys, webhook secrets and addresses, and tax. Do not store it in a shop.',
  },
])}
${choices('refunds', 'Refunds', draft.refunds, [
  { value: 'no', label: 'No refunds' },
  { value: 'limited', label: 'Refunds up to a daily limit', hint: 'Days begin at midnight UTC.' },
  { value: 'yes', label: 'Refunds without a limit' },
])}
<div class="pair when-limited">${textField({ id: 'limit', name: 'limit', label: 'Daily limit', value: draft.limit, maxLength: 40, isCode: true, fault: limitFault(faults) })}
${textField({ id: 'currency', name: 'currency', label: 'Currency', value: draft.currency, maxLength: 3, isCode: true })}</div>
<div class="field"><label for="expires_at">Until, not included (optional)</label><input type="date" id="expires_at" name="expires_at" value="${draft.expires}"${messageAt(faults, 'expires_at') && html` aria-invalid="true"`} aria-describedby="expires_at-fault"><p class="fault" id="expires_at-fault">${messageAt(faults, 'expires_at')}</p></div>
<p class="submit"><button class="main" name="action" value="create">Create the key</button></p></form></section>`;
