import { notFound } from '../../shared/domain/errors.ts';
import { download } from '../../shared/http/download.ts';

/** Everything that is not in the route table. */
export const handler = download({
  answer: async ({ method, path }) => {
    throw notFound(method, path);
  },
});
