import { refuseIn } from '../../shared/checkout-page/checkout-context.ts';
import { docsPage } from '../../shared/docs/docs-page.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';

/** GET /docs, GET /docs/{page} */
export const handler = page({ answer: docsPage(env.publicUrl()), refuse: refuseIn(env) });
