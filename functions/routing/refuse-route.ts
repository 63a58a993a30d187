import { refuseIn } from '../../shared/checkout-page/checkout-context.ts';
import { refuseVisit } from '../../shared/dashboard/guard.ts';
import { env } from '../../shared/env.ts';
import { unknownRoute } from '../../shared/site/unknown-route.ts';

/** Everything that is not in the route table. */
export const handler = unknownRoute({ env, refuseMember: refuseVisit, refuseBuyer: refuseIn(env) });
