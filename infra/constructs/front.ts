import { fileURLToPath } from 'node:url';
import { CfnOutput, CustomResource, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  type ErrorResponse,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import { BusyApi } from './busy/busy-api.ts';
import type { ServiceFunction } from './service-function.ts';

interface FrontProps extends Pick<StageSettings, 'customDomain' | 'originSecretVersion'> {
  /** The domain name of the API, which is the origin of the distribution. */
  apiDomainName: string;
  /** The ARN of the web ACL. It must have the scope of CloudFront. */
  webAclArn: string;
  /** The function that creates the secret between the distribution and the API. */
  secretProvider: ServiceFunction;
}

/** The header in which CloudFront sends the country of the buyer's IP address. */
export const viewerCountryHeader = 'cloudfront-viewer-country';

const unlogged = {
  id: 'AwsSolutions-CFR3',
  reason:
    'The API logs every request that reaches it, without the addresses of buyers, which a log of the distribution would hold.',
};
const everywhere = {
  id: 'AwsSolutions-CFR1',
  reason:
    'A merchant sells to every country that the tax table knows; who may not buy is decided when a sale is priced.',
};
const usualCertificate = {
  id: 'AwsSolutions-CFR4',
  reason: 'Without a custom domain the certificate is CloudFront’s own, whose least version of TLS cannot be chosen.',
};

/**
 * CloudFront must keep no refusal. Otherwise it would answer requests for the same path with it for ten seconds, also
 * if it says `no-store`, and a program could get the page of a buyer.
 */
const unkept: ErrorResponse[] = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));

/**
 * A CloudFront distribution in front of the API, with a web ACL. The API refuses requests that did not come through the
 * distribution. If the API refuses to open a page, the distribution shows the page for a rush.
 */
export class Front extends Construct {
  /** The address that buyers and integrators see, without a trailing slash. */
  readonly publicUrl: string;
  /** Hashes with which a function recognizes requests from the distribution. They are not secret. */
  readonly secretHashes: string;

  constructor(scope: Construct, id: string, props: FrontProps) {
    super(scope, id);
    const { customDomain, originSecretVersion = 1, secretProvider } = props;
    const secret = new CustomResource(this, 'OriginSecret', {
      serviceToken: secretProvider.functionArn,
      resourceType: 'Custom::OriginSecret',
      serviceTimeout: Duration.minutes(2),
      properties: { Version: originSecretVersion },
    });
    this.secretHashes = secret.getAttString('Hashes');
    const distribution = this.createDistribution(props, secret.getAttString('Value'));
    Validations.of(distribution).acknowledge(unlogged, everywhere, ...(customDomain ? [] : [usualCertificate]));
    this.publicUrl = `https://${customDomain?.domainName ?? distribution.distributionDomainName}`;
    if (customDomain) this.addCnameTarget(customDomain.domainName, distribution.distributionDomainName);
  }

  private createDistribution({ apiDomainName, webAclArn, customDomain }: FrontProps, secret: string): Distribution {
    const origin = new HttpOrigin(apiDomainName, {
      customHeaders: { 'x-origin-secret': secret },
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: Duration.seconds(30),
      originId: 'api',
    });
    const uncached = { cachePolicy: CachePolicy.CACHING_DISABLED };
    const patient = { ...passedOn(origin), functionAssociations: [this.createOriginChoice()] };
    const busy = { ...uncached, viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS };
    const kept = { origin, viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS };
    return new Distribution(this, 'Distribution', {
      comment: Stack.of(this).stackName,
      webAclId: webAclArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      errorResponses: unkept,
      defaultBehavior: { ...patient, ...uncached },
      additionalBehaviors: {
        '/checkout/*': { ...patient, cachePolicy: this.createCountryPolicy() },
        '/busy': { ...busy, origin: new BusyApi(this, 'Busy').origin },
        '/assets/*': kept,
        '/images/*': kept,
      },
      ...(customDomain && {
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        domainNames: [customDomain.domainName],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', customDomain.certificateArn),
      }),
    });
  }

  /**
   * A cache policy that passes on the buyer's country. Without also passing on the host, only a cache policy can do
   * that. Nothing is cached, because every response says `no-store`. Without that, a response for one key and one
   * browser would be cached for a second.
   */
  private createCountryPolicy(): CachePolicy {
    return new CachePolicy(this, 'ViewerCountry', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(1),
      headerBehavior: CacheHeaderBehavior.allowList('CloudFront-Viewer-Country', 'Authorization'),
      cookieBehavior: CacheCookieBehavior.all(),
      queryStringBehavior: CacheQueryStringBehavior.all(),
    });
  }

  /**
   * The function at the edge that names the API and the page for a rush as the origins of a page. A behaviour that
   * allows POST cannot do that itself.
   */
  private createOriginChoice(): FunctionAssociation {
    const filePath = fileURLToPath(new URL('busy/choose-origin.js', import.meta.url));
    return {
      eventType: FunctionEventType.VIEWER_REQUEST,
      function: new EdgeFunction(this, 'OriginChoice', {
        code: FunctionCode.fromFile({ filePath }),
        runtime: FunctionRuntime.JS_2_0,
        comment: 'Shows the page for a rush if the API refuses to open a page',
      }),
    };
  }

  private addCnameTarget(domainName: string, value: string): void {
    const description = `The name that a CNAME record of ${domainName} points to`;
    new CfnOutput(Stack.of(this), 'CnameTarget', { description, value });
  }
}

/**
 * Passes on every method, header, cookie and parameter, but not the host. API Gateway needs its own host name to find
 * the API.
 */
const passedOn = (origin: HttpOrigin): Omit<BehaviorOptions, 'cachePolicy'> & { origin: HttpOrigin } => ({
  origin,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  compress: false,
});
