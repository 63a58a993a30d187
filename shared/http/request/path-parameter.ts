import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { notFound } from '../../domain/errors.ts';

/** The form of every id and file name. The table does not accept much longer keys. */
const form = /^[\w.-]{1,100}$/;

/**
 * A parameter of the path; undefined if the route has none. Refuses text that cannot be an id or file name before
 * anything is read.
 */
export function pathParameter(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const value = event.pathParameters?.[name];
  if (value === undefined || form.test(value)) return value;
  throw notFound(event.rawPath);
}

/** The same for a route that always has the parameter. */
export function requiredParameter(event: APIGatewayProxyEventV2, name: string): string {
  const value = pathParameter(event, name);
  if (value === undefined) throw notFound(event.rawPath);
  return value;
}
