import { type ApiKey, apiKeyIdOf, isInUse } from '../../domain/access/api-key.ts';
import { descendantsOf } from '../../domain/access/api-key-list.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { SignIn } from '../../domain/access/sign-in.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { date, time } from '../dates.ts';
import { drawing, type Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  badge,
  card,
  checkBox,
  copyField,
  dataTable,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  money,
} from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { keyEntries as entries } from './key-entries.ts';

const commands = dashboardCommands.keys;

const section = '/dashboard/keys';

interface KeysView {
  keys: readonly ApiKey[];
  /** The other open sessions of the viewer's key. */
  sessions: readonly SignIn[];
  /** The hash of the viewer's key. */
  own: string;
  /** When that key expires; null if it never does, or if the viewer is a member. */
  ownEnd: string | null;
  now: string;
  /** The text of the key that this request has created. It is shown only once. */
  plain: string | undefined;
  filled: Filled;
  faults: readonly FormFault[];
}

export function keysPage(frame: Frame, view: KeysView) {
  const t = textsOf(dashboardTexts('access'), frame);
  return dashboardAnswer(
    frame,
    {
      title: t('nav./dashboard/keys'),
      section,
      main: html`${view.plain && newKey(view.plain, t)}${faultSummary(view.faults, t)}
${view.keys.length === 0 ? emptyState(t('keys.none'), t('keys.none.text')) : card({}, keyTable(frame, view, t))}
${view.sessions.length > 0 && sessionsCard(frame, view.sessions, t)}
${may(frame, commands.create) && createForm(frame, view, t)}`,
    },
    { statusCode: view.faults.length > 0 ? 422 : 200 },
  );
}

const newKey = (
  plain: string,
  t: Texts<TextKey<'access'>>,
): Html => html`<section class="card" role="status"><h2>${t('key.new')}</h2>
<p class="note wait">${t('key.new.text')}</p>
${copyField('new-key', t('key'), plain, t)}</section>`;

const keyTable = (frame: Frame, { keys, own, now }: KeysView, t: Texts<TextKey<'access'>>): Html =>
  dataTable(
    t('nav./dashboard/keys'),
    [
      {
        label: t('name'),
        cell: (key) =>
          html`<strong dir="auto">${key.name}</strong>${key.hash === own && html` ${badge('this session', 'good', t('thisSession'))}`}<span class="hint"><code>…${key.lastFour}</code></span>`,
      },
      { label: t('may'), cell: (key) => rightsOf(key, t) },
      { label: t('created'), cell: ({ createdAt }) => date(createdAt, t.locale) },
      { label: t('state'), cell: (key) => stateOf(key, now, t) },
      {
        label: '',
        spokenLabel: t('table.actions'),
        cell: (key) =>
          isInUse(key, now)
            ? revoking(frame, key, { t, own, made: descendantsOf({ keys: [...keys] }, apiKeyIdOf(key), now).length })
            : '',
      },
    ],
    keys,
  );

const sessionsCard = (frame: Frame, sessions: readonly SignIn[], t: Texts<TextKey<'access'>>): Html =>
  card(
    { name: 'sessions', title: t('sessions') },
    dataTable(
      t('sessions'),
      [
        { label: t('sessions.started'), cell: ({ startedAt }: SignIn) => time(startedAt, t.locale) },
        { label: t('sessions.until'), cell: ({ expiresAt }: SignIn) => time(expiresAt, t.locale) },
        {
          label: '',
          spokenLabel: t('table.actions'),
          cell: ({ id }: SignIn) =>
            actionButton(frame, {
              to: section,
              action: 'end_session',
              needs: commands.end_session,
              label: t('sessions.end'),
              fields: { session_id: id },
            }),
        },
      ],
      [...sessions].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)),
    ),
  );

/** The rights of a key in a few words. */
function rightsOf({ access, refunds }: ApiKey, t: Texts<TextKey<'access'>>): Html {
  const { perDay } = refunds ?? {};
  const refunding = perDay
    ? t('refunds.perDay', { amount: money(perDay.amount, perDay.currency, t.locale) })
    : t(refunds ? 'refunds.yes' : 'refunds.no');
  return html`${t(`level.${access}`)}<span class="hint">${refunding}</span>`;
}

function stateOf(key: ApiKey, now: string, t: Texts<TextKey<'access'>>): Html {
  if (key.revokedAt)
    return html`${badge('revoked', 'bad', t('state.revoked'))}<span class="hint">${date(key.revokedAt, t.locale)}</span>`;
  if (!isInUse(key, now)) return badge('expired', 'none', t('state.expired'));
  return html`${badge('in use', 'good', t('state.inUse'))}${key.expiresAt && html`<span class="hint">${withMarkup(t('until'), { day: date(key.expiresAt, t.locale) })}</span>`}`;
}

interface Revoking {
  own: string;
  made: number;
  t: Texts<TextKey<'access'>>;
}

const revoking = (frame: Frame, key: ApiKey, { own, made, t }: Revoking): Html =>
  guarded(frame, t('revoke'), t(key.hash === own ? 'revoke.own' : 'revoke.text'), {
    to: section,
    action: 'revoke',
    needs: commands.revoke,
    label: t('revoke'),
    fields: { id: apiKeyIdOf(key) },
    choice: made > 0 ? withDescendants(key, made, t) : undefined,
  });

/** Offers to also revoke the keys that this key has created. If it was stolen, the thief may have created some. */
const withDescendants = (key: ApiKey, made: number, t: Texts<TextKey<'access'>>): Html =>
  checkBox({
    id: `descendants-${apiKeyIdOf(key)}`,
    name: 'descendants',
    label: t.count('descendants', made),
    isChecked: false,
  });

function createForm(frame: Frame, { filled, faults, ownEnd }: KeysView, t: Texts<TextKey<'access'>>): Html {
  const field = drawing({ ...filled, faults });
  const { expires_at: expires } = filled.typed;
  return card(
    { name: 'new', title: t('form.title') },
    html`<p class="lead">${t('form.shop')}</p>
<form method="post" action="${section}" novalidate>${formKeys(frame)}
${field(entries.name)}
${field(entries.access)}
${field(entries.refunds)}
<div class="pair when-limited">${field(entries.limit)}
${field(entries.currency)}</div>
<div class="field"><label for="expires_at">${t('form.expires')}</label><input type="date" id="expires_at" name="expires_at" value="${expires}"${messageAt(faults, 'expires_at') && html` aria-invalid="true"`} aria-describedby="expires_at-fault${ownEnd !== null && ' expires_at-hint'}">${ownEnd !== null && html`<p class="hint" id="expires_at-hint">${withMarkup(t('form.expires.hint'), { time: time(ownEnd, t.locale) })}</p>`}<p class="fault" id="expires_at-fault">${messageAt(faults, 'expires_at')}</p></div>
<p class="submit"><button class="main" name="action" value="create">${t('form.button')}</button></p></form>`,
  );
}
