import type { Grantor } from '../domain/access/access.ts';
import type { Actor } from '../domain/access/audit.ts';
import type { Member } from '../domain/access/member.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { Page, PageRequest } from '../http/page.ts';
import type { Locale } from '../pages/locale.ts';
import type { DashboardForm } from './form.ts';

/** The viewer of the dashboard. */
export interface Viewer extends Grantor {
  /** The secret value that signs the cursors of the viewer's lists. */
  hash: string;
  /** The holder of the viewer's sessions: the hash of the key, or the id of the member. */
  holder: string;
  /** The member; null if the viewer signed in with a key. */
  member: Pick<Member, 'id' | 'role'> | null;
  /** The name of the key, or the address of the member. */
  keyName: string;
  /** The viewer as the author in the audit log. */
  actor: Actor;
  sessionId: string;
  /** Sessions that began before this time are closed, because they were signed with an earlier secret. */
  sessionsSince: string;
  /** The hidden value in the viewer's forms. */
  formToken: string;
}

export interface Visit {
  request: PageRequest;
  viewer: Viewer;
  /** The id for the forms on this page. If a form is sent twice, it takes effect once, because the id is the same. */
  formId: string;
  merchant: string;
  isSandbox: boolean;
  /** The secret that signs the cursors of lists; undefined if the stack has no secret yet. */
  cursorSecret: () => Promise<string | undefined>;
  /** The language of the page. */
  locale: Locale;
}

export interface FormSubmission extends Visit {
  form: DashboardForm;
  /** Runs an action at most once for this form, and redirects to its result. */
  once: <Result>(act: (claim: Claim<Result>) => Promise<Result>, to: (result: Result) => string) => Promise<Page>;
}
