import { DomainError } from '../../shared/domain/errors.ts';
import { download } from '../../shared/http/download.ts';

/** Everything that is not in the route table. */
export const handler = download({
  answer: async ({ method, path }) => {
    throw new DomainError('NOT_FOUND', `There is no ${method} ${path}.`);
  },
});
