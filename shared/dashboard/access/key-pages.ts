import { assertPermitted } from '../../domain/access/access.ts';
import { type ApiKey, apiKeyIdOf } from '../../domain/access/api-key.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { rightsOfRole } from '../../domain/access/member.ts';
import { findMember } from '../../domain/access/member-list.ts';
import { openOnes, type SignIn } from '../../domain/access/sign-in.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MemberStore } from '../../store/access/member-store.ts';
import { keys } from '../../store/keys.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import {
  type CreateApiKeyDeps,
  type CreatedApiKey,
  createApiKey,
  type KeyMaker,
} from '../../use-cases/access/create-api-key.ts';
import { type EndSessionDeps, endSession } from '../../use-cases/access/end-session.ts';
import { type RevokeApiKeyDeps, revokeApiKey } from '../../use-cases/access/revoke-api-key.ts';
import { ApiKeyInput } from '../../wire/access/api-key.ts';
import { parseInput } from '../../wire/parse.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { refusedEntries, type Typed, typedTexts } from '../entries.ts';
import { frameOf } from '../frame.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { keyEntries, keyJson, newKeyTexts } from './key-entries.ts';
import { keysPage } from './keys-page.ts';

interface KeyPagesDeps extends CreateApiKeyDeps, RevokeApiKeyDeps, EndSessionDeps {
  apiKeys: CreateApiKeyDeps['apiKeys'] & RevokeApiKeyDeps['apiKeys'];
  signIns: EndSessionDeps['signIns'] & { list: (holder: string) => Promise<SignIn[]> };
  members: Pick<MemberStore, 'list'>;
}

const home = '/dashboard/keys';

/** The API keys, and the open sessions of the viewer's own key. */
export const keyPages = (deps: KeyPagesDeps): DashboardRoutes<typeof dashboardCommands.keys> => ({
  needs: () => [keys.apiKeyList()],
  show: (visit) => show(deps, visit, {}),
  forms: {
    commands: dashboardCommands.keys,
    run: {
      create: (submission) => create(deps, submission),
      revoke: (submission) => revoke(deps, submission),
      end_session: (submission) => endOther(deps, submission),
    },
  },
});

/** The names of the fields for a refund limit on the page. */
const names = {
  'daily_refund_limit.currency': 'limit',
  daily_refund_limit: 'limit',
};

interface Shown {
  plain?: string | undefined;
  typed?: Typed;
  refusal?: DomainError;
}

async function show(deps: KeyPagesDeps, visit: Visit, { plain, typed = newKeyTexts, refusal }: Shown) {
  const { hash, sessionId, holder, member, expiresAt, sessionsSince: since } = visit.viewer;
  const at = deps.now().toISOString();
  const [{ keys }, signedIn] = await Promise.all([deps.apiKeys.list(), member ? [] : deps.signIns.list(holder)]);
  const sessions = openOnes(signedIn, { now: at, since }).filter(({ id }) => id !== sessionId);
  const filled = { typed, locale: visit.locale };
  const faults = refusal
    ? refusedEntries(
        keyEntries,
        refusal,
        { ...filled, t: textsOf(dashboardTexts('access'), visit, dashboardTexts('faults')) },
        names,
      )
    : [];
  return keysPage(frameOf(visit), { keys, sessions, own: hash, ownEnd: expiresAt, now: at, plain, filled, faults });
}

/**
 * Creates a key and shows it only in this response. If the form is sent again, it shows only the list, and creates no
 * second key.
 */
function create(deps: KeyPagesDeps, submission: FormSubmission) {
  const typed = typedTexts(keyEntries, submission.form);
  return unlessRefused(
    async () => {
      const fields = parseInput(ApiKeyInput, keyJson({ typed, locale: submission.locale }));
      let created: CreatedApiKey | undefined;
      const act = async (claim: Parameters<typeof createApiKey>[2]) => {
        created = await createApiKey(deps, { fields, maker: keyMakerOf(deps, submission) }, claim);
        return created;
      };
      const elsewhere = await submission.once<CreatedApiKey>(act, () => home);
      return created ? show(deps, submission, { plain: created.plain }) : elsewhere;
    },
    (refusal) => show(deps, submission, { typed, refusal }),
  );
}

/**
 * The viewer as the creator of a key. A member is read again, because a member who is being removed must not create a
 * key.
 */
const keyMakerOf = (deps: KeyPagesDeps, { viewer }: FormSubmission): KeyMaker => {
  const { access, refunds, expiresAt, member, hash } = viewer;
  if (!member) return { id: apiKeyIdOf({ hash }), access, refunds, expiresAt };
  const assertStill = async () => {
    const role = findMember(await deps.members.list(), member.id)?.role;
    if (role === undefined) throw new DomainError('UNAUTHORIZED', 'This member was removed.');
    assertPermitted(rightsOfRole(role), dashboardCommands.keys.create.needs);
  };
  return { id: member.id, access, refunds, expiresAt, assertStill };
};

function revoke(deps: KeyPagesDeps, { form, once }: FormSubmission) {
  return once<ApiKey>(
    (claim) => revokeApiKey(deps, { id: form.text('id'), withDescendants: form.has('descendants') }, claim),
    () => `${home}?done=revoked`,
  );
}

/** Ends another session of the viewer's own key. Sessions of other keys end when these keys are revoked. */
function endOther(deps: KeyPagesDeps, { form, viewer, once }: FormSubmission) {
  return once<SignIn>(
    (claim) => endSession(deps, { holder: viewer.holder, id: form.text('session_id') }, claim),
    () => `${home}?done=ended`,
  );
}
