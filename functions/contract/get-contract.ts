import contract from '../../docs/openapi.json' with { type: 'json' };
import { published } from '../../shared/http/published.ts';

/** GET /openapi.json */
export const handler = published(contract);
