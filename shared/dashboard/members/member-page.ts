import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Member, Role } from '../../domain/access/member.ts';
import type { SignIn } from '../../domain/access/sign-in.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { actionButton, card, checkBox, type FormFault, facts, faultSummary, formKeys, guarded } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { membersHome, roleChoices, sessionTable, stateOf } from './members-page.ts';

const commands = dashboardCommands.members;

interface MemberView {
  member: Member;
  /** Whether the viewer is this member. */
  isOwn: boolean;
  /** The roles that the viewer can give this member. Empty if the viewer cannot manage the member. */
  offered: readonly Role[];
  /** Whether the viewer can invite this member again. */
  mayRenew: boolean;
  /** The member's open sessions. Empty if the viewer may not end them. */
  sessions: readonly SignIn[];
  /** How many active keys the member has created. */
  keysMade: number;
  canMail: boolean;
  now: string;
  faults: readonly FormFault[];
}

/** The page of one member: the role, the sessions, and the button to remove the member. */
export function memberPage(frame: Frame, view: MemberView) {
  const t = textsOf(dashboardTexts('members'), frame);
  const { member, offered, faults, now } = view;
  return dashboardAnswer(
    frame,
    {
      title: member.email,
      section: membersHome,
      above: { href: membersHome, label: t('nav./dashboard/members') },
      main: html`${faultSummary(faults, t)}
${card(
  {},
  html`${facts([
    [t('column.role'), t(`role.${member.role}`)],
    [t('column.state'), stateOf(frame, member, now)],
  ])}${again(frame, view, t)}`,
)}
${offered.length > 0 && html`${roleForm(frame, view, t)}${sessionsOf(frame, view, t)}${card({}, removal(frame, view, t))}`}`,
    },
    { statusCode: faults.length > 0 ? 422 : 200 },
  );
}

const pathOf = ({ id }: Member): string => `${membersHome}/${id}`;

const again = (frame: Frame, { member, canMail, mayRenew }: MemberView, t: Texts<TextKey<'members'>>): Html =>
  member.joinedAt === null && canMail && mayRenew
    ? html`<div class="submit">${actionButton(frame, { to: pathOf(member), action: 'invite_again', needs: commands.invite_again, label: t('again.button') })}</div>`
    : html``;

const roleForm = (frame: Frame, { member, offered }: MemberView, t: Texts<TextKey<'members'>>): Html =>
  card(
    {},
    html`<form method="post" action="${pathOf(member)}">${formKeys(frame)}
${roleChoices(t('change.title'), member.role, offered, t)}
<p class="submit"><button class="second" name="action" value="change_role">${t('change.button')}</button></p></form>`,
  );

const sessionsOf = (frame: Frame, { member, sessions }: MemberView, t: Texts<TextKey<'members'>>): Html =>
  card(
    { name: 'sessions', title: t('sessions.title') },
    sessions.length === 0
      ? html`<p class="soft">${t('sessions.none')}</p>`
      : sessionTable(frame, { to: pathOf(member), action: 'end_session', sessions }, t),
  );

const removal = (frame: Frame, { member, isOwn, keysMade }: MemberView, t: Texts<TextKey<'members'>>): Html =>
  guarded(frame, t('remove.summary'), t(isOwn ? 'remove.leave' : 'remove.text'), {
    to: pathOf(member),
    action: 'remove',
    needs: commands.remove,
    label: t('remove.button'),
    choice:
      keysMade > 0
        ? checkBox({ id: 'with_keys', label: t.count('remove.keys', keysMade), isChecked: false })
        : undefined,
  });
