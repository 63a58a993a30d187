import { isPermitted } from '../../domain/access/access.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { mayLeave } from '../../domain/access/left-behind.ts';
import { type Member, maySignIn, type Role, roles } from '../../domain/access/member.ts';
import type { SignIn } from '../../domain/access/sign-in.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  badge,
  card,
  choices,
  dataTable,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  messageAt,
} from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

const commands = dashboardCommands.members;

export const membersHome = '/dashboard/members';

export interface InviteDraft {
  email: string;
  role: Role;
}

interface MembersView {
  members: readonly Member[];
  /** The viewer's other open sessions. */
  sessions: readonly SignIn[];
  /** The viewer's member id. */
  own: string | undefined;
  /** The roles that the viewer can give. */
  offered: readonly Role[];
  canMail: boolean;
  now: string;
  draft: InviteDraft;
  faults: readonly FormFault[];
}

export function membersPage(frame: Frame, view: MembersView) {
  const t = textsOf(dashboardTexts('members'), frame);
  const { members, sessions, faults, canMail } = view;
  return dashboardAnswer(
    frame,
    {
      title: t('nav./dashboard/members'),
      section: membersHome,
      main: html`${faultSummary(faults, t)}
<p class="hint">${t('lead')}</p>
${!canMail && html`<p class="note wait">${t('unmailed')}</p>`}
${isPermitted(frame.viewer, 'admin') && !mayLeave(frame.viewer, 'member') && html`<p class="note wait">${t('expiring')}</p>`}
${members.length === 0 ? emptyState(t('none.title'), t('none.text')) : card({}, memberTable(frame, view, t))}
${sessions.length > 0 && card({ name: 'sessions', title: t('sessions.own') }, sessionTable(frame, { to: membersHome, action: 'end_own_session', sessions }, t))}
${canMail && may(frame, commands.invite) && view.offered.length > 0 && inviteForm(frame, view, t)}`,
    },
    { statusCode: faults.length > 0 ? 422 : 200 },
  );
}

const memberTable = (frame: Frame, { members, own, now }: MembersView, t: Texts<TextKey<'members'>>): Html =>
  dataTable(
    t('nav./dashboard/members'),
    [
      {
        label: t('column.email'),
        cell: ({ id, email }: Member) =>
          html`<a href="${membersHome}/${id}"><strong>${email}</strong></a>${id === own && html` ${badge('you', 'good', t('you'))}`}`,
      },
      { label: t('column.role'), cell: ({ role }: Member) => t(`role.${role}`) },
      { label: t('column.state'), cell: (member: Member) => stateOf(frame, member, now) },
    ],
    members,
  );

/** The state of a member: since which day the member has joined, or that the invitation is open or over. */
export function stateOf(frame: Frame, { joinedAt, inviteEndsAt, ...member }: Member, now: string): Html {
  const t = textsOf(dashboardTexts('members'), frame);
  const on = (key: 'since' | 'until', at: string): Html => {
    const [before = '', after = ''] = t(key).split('{day}');
    return html`<span class="hint">${before}${date(at, frame.locale)}${after}</span>`;
  };
  if (joinedAt) return html`${badge('joined', 'good', t('state.joined'))}${on('since', joinedAt)}`;
  if (maySignIn({ ...member, joinedAt, inviteEndsAt }, now))
    return html`${badge('invited', 'wait', t('state.invited'))}${on('until', inviteEndsAt)}`;
  return badge('over', 'none', t('state.over'));
}

interface SessionList {
  to: string;
  action: 'end_session' | 'end_own_session';
  sessions: readonly SignIn[];
}

/** Open sessions, newest first. Each has a button to end it. */
export const sessionTable = (frame: Frame, { to, action, sessions }: SessionList, t: Texts<TextKey<'members'>>): Html =>
  dataTable(
    t('sessions.title'),
    [
      { label: t('sessions.started'), cell: ({ startedAt }: SignIn) => time(startedAt, frame.locale) },
      { label: t('sessions.until'), cell: ({ expiresAt }: SignIn) => time(expiresAt, frame.locale) },
      {
        label: '',
        spokenLabel: t('table.actions'),
        cell: ({ id }: SignIn) =>
          actionButton(frame, {
            to,
            action,
            needs: commands[action],
            label: t('sessions.end'),
            fields: { session_id: id },
          }),
      },
    ],
    [...sessions].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)),
  );

/** The roles to choose from, each with its rights. */
export const roleChoices = (
  legend: string,
  chosen: Role,
  offered: readonly Role[],
  t: Texts<TextKey<'members'>>,
): Html =>
  choices({
    id: 'role',
    label: legend,
    value: chosen,
    options: roles
      .filter((role) => offered.includes(role))
      .map((value) => ({ value, label: t(`role.${value}`), hint: t(`role.${value}.hint`) })),
  });

const inviteForm = (frame: Frame, { draft, offered, faults }: MembersView, t: Texts<TextKey<'members'>>): Html =>
  card(
    { name: 'invite', title: t('invite.title') },
    html`<form method="post" action="${membersHome}" novalidate>${formKeys(frame)}
${textField({ id: 'email', name: 'email', label: t('invite.email'), value: draft.email, type: 'email', isRequired: true, maxLength: 254, hint: t('invite.email.hint'), fault: messageAt(faults, 'email') })}
${roleChoices(t('invite.role'), offered.includes(draft.role) ? draft.role : (offered.at(-1) ?? 'read'), offered, t)}
<p class="submit"><button class="main" name="action" value="invite">${t('invite.button')}</button></p></form>`,
  );
