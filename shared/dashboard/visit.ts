import type { Grantor } from '../domain/access/access.ts';
import type { Actor } from '../domain/access/audit.ts';
import type { Member } from '../domain/access/member.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { Page, PageRequest } from '../http/page.ts';
import type { Locale } from '../pages/locale.ts';
import type { DashboardForm } from './form.ts';

/** Who looks at the dashboard. */
export interface Viewer extends Grantor {
  /** Signs their cursors. */
  hash: string;
  /** Whose sessions they have: the hash of their key, or the id of the member. */
  holder: string;
  /** Null for a key. */
  member: Pick<Member, 'id' | 'role'> | null;
  /** The name of the key, or the address of the member. */
  keyName: string;
  /** What the audit log says of them. */
  actor: Actor;
  sessionId: string;
  /** From when their other sessions must have begun to be open: before, another secret has signed them. */
  sessionsSince: string;
  /** What their forms carry. */
  formToken: string;
}

export interface Visit {
  request: PageRequest;
  viewer: Viewer;
  /** The id of the forms on this page. A form sent twice is done once. */
  formId: string;
  merchant: string;
  isSandbox: boolean;
  /** What signs the cursors of lists; undefined where the stack has no secret yet. */
  cursorSecret: () => Promise<string | undefined>;
  /** The language of the page. */
  locale: Locale;
}

export interface FormSubmission extends Visit {
  form: DashboardForm;
  /** Does it at most once for this form, and leads on to where the result is to be seen. */
  once: <Result>(act: (claim: Claim<Result>) => Promise<Result>, to: (result: Result) => string) => Promise<Page>;
}
