import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DomainError } from '../../shared/domain/errors.ts';
import { answers } from '../../shared/http/endpoint.ts';
import type { HttpResponse } from '../../shared/http/problem.ts';
import { images } from '../../shared/image-runtime.ts';
import { typeOfImage } from '../../shared/images/image.ts';

const deps = { images: images() };

interface ImageResponse extends HttpResponse {
  isBase64Encoded: true;
}

/** GET /images/{file} */
export const handler = middy<APIGatewayProxyEventV2, ImageResponse>()
  .use(answers)
  .handler(async ({ pathParameters }) => {
    const file = pathParameters?.['file'] ?? '';
    const type = typeOfImage(file);
    const bytes = type && (await deps.images.find(file));
    if (!bytes) throw new DomainError('NOT_FOUND', 'There is no such image.');
    return { statusCode: 200, headers: headersOf(type), body: bytes.toString('base64'), isBase64Encoded: true };
  });

/** The type is ours, whatever the bytes are; nobody who opens the image alone runs anything; it never changes. */
const headersOf = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
});
