import { env } from '../../shared/env.ts';
import { unknownRoute } from '../../shared/site/unknown-route.ts';

/** Everything that is not in the route table. */
export const handler = unknownRoute({ env });
