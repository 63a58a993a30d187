import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError } from '../domain/errors.ts';

/** Every id and file name of ours; the table takes no key that is much longer. */
const form = /^[\w.-]{1,100}$/;

/** A parameter of the path, undefined where the route has none; one that can name nothing of ours is refused before anything is read. */
export function pathParameter(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const value = event.pathParameters?.[name];
  if (value === undefined || form.test(value)) return value;
  throw new DomainError('NOT_FOUND', `There is no ${event.rawPath}.`);
}

/** The same of a route that cannot do without it. */
export function requiredParameter(event: APIGatewayProxyEventV2, name: string): string {
  const value = pathParameter(event, name);
  if (value !== undefined) return value;
  throw new DomainError('NOT_FOUND', `There is no ${event.rawPath}.`);
}
