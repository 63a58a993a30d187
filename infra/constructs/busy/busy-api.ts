import { NestedStack, Stack, Validations } from 'aws-cdk-lib';
import { EndpointType, MockIntegration, ResponseType, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { busyHeaders, busyPage } from '../../../shared/pages/notices/busy-page.ts';

const open = 'It has only one page, which everybody may read.';
const unlogged = 'The API before it logs every request that it refused.';

/** The rules of cdk-nag that the API, its stage and its methods break, with the reasons. */
const unvalidated = { id: 'AwsSolutions-APIG2', reason: 'It reads nothing of a request.' };
const ofStage = [
  { id: 'AwsSolutions-APIG1', reason: unlogged },
  { id: 'AwsSolutions-APIG3', reason: 'The distribution in front of it has a web ACL.' },
  { id: 'AwsSolutions-APIG6', reason: unlogged },
];
const ofMethod = ['AwsSolutions-APIG4', 'AwsSolutions-COG4'].map((id) => ({ id, reason: open }));

/**
 * An API that answers every request with the page for a rush. API Gateway itself has the page, so no limit of Lambda
 * or of the table can stop it. A nested stack, because the stack itself has almost as many resources as it may have.
 */
export class BusyApi extends NestedStack {
  /** The API as the second origin of the distribution. */
  readonly origin: RestApiOrigin;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const page = { 'text/html': busyPage() };
    const { 'content-type': _, ...others } = busyHeaders;
    const responseParameters = headers('method.response.header', busyHeaders);
    const api = new RestApi(this, 'Api', {
      restApiName: `${Stack.of(scope).stackName}-busy`,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
      deployOptions: { stageName: 'page' },
      defaultIntegration: new MockIntegration({
        requestTemplates: { 'application/json': '{"statusCode": 503}' },
        integrationResponses: [{ statusCode: '503', responseParameters, responseTemplates: page }],
      }),
      defaultMethodOptions: {
        methodResponses: [{ statusCode: '503', responseParameters: accepted(responseParameters) }],
      },
    });
    api.root.addMethod('ANY');
    api.root.addProxy();
    // The limit of requests of the whole account can refuse this API too. Then it answers 429 with the same page.
    const type = ResponseType.THROTTLED;
    api.addGatewayResponse('Throttled', { type, responseHeaders: headers('', others), templates: page });
    Validations.of(api).acknowledge(unvalidated);
    Validations.of(api.deploymentStage).acknowledge(...ofStage);
    for (const method of api.methods) Validations.of(method).acknowledge(...ofMethod);
    this.origin = new RestApiOrigin(api, { originId: 'busy' });
  }
}

/** Headers as API Gateway wants them: each value is in single quotes. */
const headers = (place: string, values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [place === '' ? name : `${place}.${name}`, `'${value}'`]),
  );

/** A method may only send the headers that it declares. */
const accepted = (parameters: Readonly<Record<string, string>>): Record<string, boolean> =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, true]));
