import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { refuseIn } from '../../shared/pages/notices/refused-page.ts';
import site from '../../shared/site/built.json' with { type: 'json' };
import { docsPage } from '../../shared/site/docs-page.ts';

/** GET /docs, GET /docs/{page}, GET /llms.txt */
export const handler = page({ answer: docsPage(site, env.publicUrl()), refuse: refuseIn(env) });
