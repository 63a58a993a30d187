import { type ApiKey, apiKeyIdOf, isInUse } from '../../domain/api-key.ts';
import { dashboardCommands } from '../../domain/dashboard-commands.ts';
import { textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { dashboardAnswer, type Frame, may } from './frame.ts';
import {
  badge,
  choices,
  copyField,
  date,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  table,
} from './parts.ts';

const commands = dashboardCommands.keys;

const section = '/dashboard/keys';

export interface KeyDraft {
  name: string;
  access: string;
  /** A day, or empty. */
  expires: string;
}

export interface KeysView {
  keys: readonly ApiKey[];
  /** The key that looks. */
  own: string;
  now: string;
  /** A key that was made with this very request; it is never shown again. */
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
${view.keys.length === 0 ? emptyState('No keys', 'Keys that are made here, or by the API, appear here.') : html`<section class="card">${keyTable(frame, view)}</section>`}
${may(frame, commands.create) && createForm(frame, view)}`,
    },
    { statusCode: view.faults.length > 0 ? 422 : 200 },
  );

const newKey = (plain: string): Html => html`<section class="card" role="status"><h2>Your new key</h2>
<p class="note wait">Copy it now: it is kept nowhere, and this is the only time that it is shown.</p>
${copyField('new-key', 'API key', plain)}</section>`;

const keyTable = (frame: Frame, { keys, own, now }: KeysView): Html =>
  table(
    'API keys',
    [
      {
        label: 'Name',
        cell: (key) =>
          html`<strong dir="auto">${key.name}</strong>${key.hash === own && html` ${badge('this session', 'good')}`}<span class="hint"><code>…${key.lastFour}</code></span>`,
      },
      { label: 'May', cell: ({ access }) => (access === 'write' ? 'read and write' : 'read') },
      { label: 'Made', cell: ({ createdAt }) => date(createdAt) },
      { label: 'State', cell: (key) => stateOf(key, now) },
      { label: '', cell: (key) => (isInUse(key, now) ? revoking(frame, key, own) : '') },
    ],
    keys,
  );

function stateOf(key: ApiKey, now: string): Html {
  if (key.revokedAt) return html`${badge('revoked', 'bad')}<span class="hint">${date(key.revokedAt)}</span>`;
  if (!isInUse(key, now)) return badge('expired', 'none');
  return html`${badge('in use')}${key.expiresAt && html`<span class="hint">until ${date(key.expiresAt)}</span>`}`;
}

const revoking = (frame: Frame, key: ApiKey, own: string): Html =>
  guarded(
    frame,
    'Revoke',
    key.hash === own
      ? 'The next call with it is refused. It is the key that you are signed in with: you are signed out as well.'
      : 'The next call with it is refused. This cannot be undone.',
    { to: section, action: 'revoke', needs: commands.revoke, label: 'Revoke', fields: { id: apiKeyIdOf(key) } },
  );

const createForm = (
  frame: Frame,
  { draft, faults }: KeysView,
): Html => html`<section class="card" aria-labelledby="new-title"><h2 id="new-title">New key</h2>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
${textField({ id: 'name', name: 'name', label: 'Name', value: draft.name, isRequired: true, maxLength: 100, hint: 'What it is for, such as “Web shop”.', fault: messageAt(faults, 'name') })}
${choices('access', 'It may', draft.access, [
  { value: 'read', label: 'Read', hint: 'Look at everything, change nothing.' },
  { value: 'write', label: 'Read and write', hint: 'Create products and checkouts, refund, and manage keys.' },
])}
<div class="field"><label for="expires_at">Until before (optional)</label><input type="date" id="expires_at" name="expires_at" value="${draft.expires}"${messageAt(faults, 'expires_at') && html` aria-invalid="true"`} aria-describedby="expires_at-fault"><p class="fault" id="expires_at-fault">${messageAt(faults, 'expires_at')}</p></div>
<p class="submit"><button class="main" name="action" value="create">Create the key</button></p></form></section>`;
