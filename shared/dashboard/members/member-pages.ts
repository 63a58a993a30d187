import { descendantsOf } from '../../domain/access/api-key-list.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type Member, parseMemberEmail, type Role, roles } from '../../domain/access/member.ts';
import {
  assertMayEndSessions,
  getMember,
  type MemberList,
  type MemberMaker,
  makerRole,
  mayGive,
} from '../../domain/access/member-list.ts';
import { openOnes, type SignIn } from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Mailer } from '../../domain/mail.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { hashApiKey } from '../../http/api-key.ts';
import type { Page } from '../../http/page.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import {
  type ChangeMembersDeps,
  changeRole,
  inviteMember,
  inviteMemberAgain,
  removeMember,
} from '../../use-cases/access/change-members.ts';
import { type EndSessionDeps, endSession } from '../../use-cases/access/end-session.ts';
import { mailInvitation } from '../../use-cases/access/mail-invitation.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { faultsOf } from '../form-faults.ts';
import { frameOf } from '../frame.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Viewer, Visit } from '../visit.ts';
import { invitationMail, type MailFrame } from './member-mail.ts';
import { memberPage } from './member-page.ts';
import { type InviteDraft, membersHome, membersPage } from './members-page.ts';

interface MemberPagesDeps extends ChangeMembersDeps, EndSessionDeps {
  signIns: EndSessionDeps['signIns'] & { list: (holder: string) => Promise<SignIn[]> };
  throttles: ThrottleStore;
  mailer: Mailer | undefined;
  memberMails: MailFrame;
  canMail: () => boolean;
}

type Run = (deps: MemberPagesDeps, submission: FormSubmission) => Promise<Page>;

/** Handles members: invites them, changes their roles, ends their sessions, removes them. */
export const memberPages = (deps: MemberPagesDeps): DashboardRoutes<typeof dashboardCommands.members> => ({
  needs: () => [keys.members(), keys.apiKeyList()],
  show: (visit) => (visit.request.param('id') === '' ? showList(deps, visit) : showMember(deps, visit)),
  forms: {
    commands: dashboardCommands.members,
    run: {
      invite: (submission) => invite(deps, submission),
      invite_again: (submission) => inviteAgain(deps, submission),
      change_role: (submission) => onMember(deps, submission, setRole),
      remove: (submission) => onMember(deps, submission, remove),
      end_session: (submission) => endOther(deps, submission),
      end_own_session: (submission) => endOwn(deps, submission),
    },
  },
});

const makerOf = ({ member, access, refunds, expiresAt }: Viewer): MemberMaker => ({
  memberId: member?.id ?? null,
  ...{ access, refunds, expiresAt },
});

/** The roles that a viewer can give. Roles with more rights than the viewer's own are left out. */
const rolesFor = (list: MemberList, viewer: Viewer, member?: Member): readonly Role[] =>
  rolesOf(list, makerOf(viewer), member).filter((role) => mayGive(makerOf(viewer), role, member?.role));

/**
 * The roles that an owner or an admin can give. An owner can give all roles, and an admin all except owner. The first
 * member becomes an owner.
 */
function rolesOf(list: MemberList, maker: MemberMaker, member?: Member): readonly Role[] {
  const role = makerRole(list, maker);
  if (role === 'owner') return hasOwner(list) ? roles : ['owner'];
  return role === 'admin' && member?.role !== 'owner' ? roles.filter((other) => other !== 'owner') : [];
}

const hasOwner = ({ members }: MemberList): boolean =>
  members.some(({ role, joinedAt }) => role === 'owner' && joinedAt !== null);

interface Shown {
  draft?: InviteDraft;
  refusal?: DomainError;
}

/** The open sessions of a member or a key. */
const openSessions = async (deps: MemberPagesDeps, holder: string, { sessionsSince: since }: Viewer) =>
  openOnes(await deps.signIns.list(holder), { now: deps.now().toISOString(), since });

async function showList(deps: MemberPagesDeps, visit: Visit, { draft, refusal }: Shown = {}) {
  const { viewer } = visit;
  const [list, open] = await Promise.all([deps.members.list(), openSessions(deps, viewer.holder, viewer)]);
  const sessions = open.filter(({ id }) => id !== viewer.sessionId);
  const frame = frameOf(visit);
  return membersPage(frame, {
    ...{ members: list.members, sessions, own: viewer.member?.id, offered: rolesFor(list, viewer) },
    canMail: deps.canMail(),
    now: deps.now().toISOString(),
    draft: draft ?? { email: '', role: 'read' },
    faults: refusal ? faultsOf(refusal, textsOf(dashboardTexts('members'), visit)) : [],
  });
}

async function showMember(deps: MemberPagesDeps, visit: Visit, refusal?: DomainError) {
  const { viewer, request } = visit;
  const [list, apiKeys] = await Promise.all([deps.members.list(), deps.apiKeys.list()]);
  const member = getMember(list, request.param('id'));
  const offered = rolesFor(list, viewer, member);
  const now = deps.now().toISOString();
  return memberPage(frameOf(visit), {
    ...{ member, offered, now, isOwn: viewer.member?.id === member.id, canMail: deps.canMail() },
    mayRenew: offered.length > 0 && mayGive(makerOf(viewer), member.role),
    sessions: offered.length > 0 ? await openSessions(deps, member.id, viewer) : [],
    keysMade: descendantsOf(apiKeys, member.id, now).length,
    faults: refusal ? faultsOf(refusal, textsOf(dashboardTexts('members'), visit)) : [],
  });
}

const isRole = (text: string): text is Role => roles.some((role) => role === text);

function roleIn({ form }: FormSubmission): Role {
  const role = form.text('role');
  if (isRole(role)) return role;
  throw new DomainError('INVALID_REQUEST_PARAMETERS', brokenRule(sentences.member_role));
}

const invite: Run = (deps, submission) =>
  unlessRefused(
    async () => {
      if (!deps.canMail()) throw new DomainError('CONFLICT', brokenRule(sentences.no_mail));
      const request = { email: parseMemberEmail(submission.form.text('email')), role: roleIn(submission) };
      return mailed(deps, submission, (claim) =>
        inviteMember(deps, { request, maker: makerOf(submission.viewer) }, claim),
      );
    },
    (refusal) => {
      const role = submission.form.text('role');
      const draft: InviteDraft = { email: submission.form.text('email'), role: isRole(role) ? role : 'read' };
      return showList(deps, submission, { draft, refusal });
    },
  );

const inviteAgain: Run = (deps, submission) => {
  const request = { id: submission.request.param('id') };
  return unlessRefused(
    () =>
      mailed(deps, submission, (claim) =>
        inviteMemberAgain(deps, { request, maker: makerOf(submission.viewer) }, claim),
      ),
    (refusal) => showMember(deps, submission, refusal),
  );
};

type Act = Parameters<FormSubmission['once']>[0];

/** Sends the mail after the change is written. So no mail is sent for an invitation that could not be stored. */
async function mailed(
  deps: MemberPagesDeps,
  submission: FormSubmission,
  act: (claim: Parameters<Act>[0]) => Promise<Member>,
): Promise<Page> {
  let invited: Member | undefined;
  const answer = await submission.once<Member>(
    async (claim) => {
      invited = await act(claim as Parameters<Act>[0]);
      return invited;
    },
    () => `${membersHome}?done=invited`,
  );
  const mailing = { ...deps, compose: invitationMail(deps.memberMails, submission.locale), hashOf: hashApiKey };
  if (!invited || (await mailInvitation(mailing, invited))) return answer;
  return { ...answer, headers: { ...answer.headers, location: `${membersHome}?done=unmailed` } };
}

type OnMember = (deps: MemberPagesDeps, submission: FormSubmission, id: string) => Promise<Page>;

/** Runs a command on the member of the page. If it is refused, the page shows why. */
const onMember = (deps: MemberPagesDeps, submission: FormSubmission, act: OnMember): Promise<Page> =>
  unlessRefused(
    () => act(deps, submission, submission.request.param('id')),
    (refusal) => showMember(deps, submission, refusal),
  );

const setRole: OnMember = (deps, submission, id) => {
  const change = { request: { id, role: roleIn(submission) }, maker: makerOf(submission.viewer) };
  return submission.once<Member>(
    (claim) => changeRole(deps, change, claim),
    () => `${membersHome}/${id}?done=role`,
  );
};

const remove: OnMember = (deps, { form, viewer, once }, id) => {
  const change = { request: { id, withKeys: form.has('with_keys') }, maker: makerOf(viewer) };
  return once<Member>(
    (claim) => removeMember(deps, change, claim),
    () => `${membersHome}?done=removed`,
  );
};

const endOther: Run = async (deps, { form, request, viewer, once }) => {
  const holder = request.param('id');
  assertMayEndSessions(await deps.members.list(), holder, makerOf(viewer));
  return once<SignIn>(
    (claim) => endSession(deps, { holder, id: form.text('session_id') }, claim),
    () => `${membersHome}/${holder}?done=ended`,
  );
};

const endOwn: Run = (deps, { form, viewer, once }) =>
  once<SignIn>(
    (claim) => endSession(deps, { holder: viewer.holder, id: form.text('session_id') }, claim),
    () => `${membersHome}?done=ended`,
  );
