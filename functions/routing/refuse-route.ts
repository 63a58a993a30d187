import { refuseVisit } from '../../shared/dashboard/guard.ts';
import { env } from '../../shared/env.ts';
import { refuseIn } from '../../shared/pages/notices/refused-page.ts';
import { unknownRoute } from '../../shared/site/unknown-route.ts';

/** Answers every request for which there is no route. */
export const handler = unknownRoute({ env, refuseMember: refuseVisit, refuseBuyer: refuseIn(env) });
