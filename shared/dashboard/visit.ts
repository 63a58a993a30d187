import type { Rights } from '../domain/access/access.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { Page, PageRequest } from '../http/page.ts';
import type { Locale } from '../pages/locale.ts';
import type { DashboardForm } from './form.ts';

/** Who looks at the dashboard. */
export interface Viewer extends Rights {
  /** Of their key: signs their cursors. */
  hash: string;
  keyName: string;
  sessionId: string;
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
  /** The language of the page. */
  locale: Locale;
}

export interface FormSubmission extends Visit {
  form: DashboardForm;
  /** Does it at most once for this form, and leads on to where the result is to be seen. */
  once: <Result>(act: (claim: Claim<Result>) => Promise<Result>, to: (result: Result) => string) => Promise<Page>;
}
