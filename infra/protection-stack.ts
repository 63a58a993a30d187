import { Stack } from 'aws-cdk-lib';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Stage } from '../shared/domain/merchant.ts';
import { markStack } from './constructs/stack-marks.ts';
import { endpoints } from './endpoints.ts';
import type { StageSettings } from './stage-settings.ts';

interface ProtectionStackProps extends Pick<StageSettings, 'account' | 'permissionsBoundary'> {
  merchant: string;
  stage: Stage;
  /** The deployed version, such as `0.2.0+97cf8f7a`. */
  version: string;
}

const windowSeconds = 300;

/** The most requests from one address in five minutes. It allows an integrator's server 100 calls a second. */
export const mostPerAddress = 30_000;

/**
 * The most requests from one address in five minutes to paths without a key. It allows a hundred checkouts from one
 * mobile network, whose customers share an address.
 */
export const mostPublicPerAddress = 1_500;

/**
 * The paths without a key. The notifications of a processor are left out: they come from a few addresses for all
 * buyers, so only the higher limit applies to them.
 */
const publicPaths = endpoints
  .filter(({ access, processor }) => access === 'public' && !processor?.includes('notifications'))
  .flatMap(({ paths }) => paths);

/**
 * The prefix of a path. `/checkout/{id}` has the prefix `/checkout/`, so it does not match `/checkouts`, which needs a
 * key. `/dashboard` itself is also a path.
 */
function prefixOf(path: string): string {
  const folder = `/${path.split('/')[1]}`;
  return publicPaths.includes(folder) ? folder : `${folder}/`;
}

/**
 * The prefixes of all paths without a key. Refusing unknown paths is cheap, so only the higher limit applies to these.
 */
export const publicPrefixes: readonly string[] = [
  ...new Set(publicPaths.filter((path) => path !== '$default').map(prefixOf)),
];

/** The response to too many requests. WAF allows only three content types, so the error is sent as plain JSON. */
const throttled = {
  type: 'urn:tillstack:problem:too-many-requests',
  title: 'too many requests',
  status: 429,
  detail: 'Too many requests from this address; try again in a few minutes.',
  code: 'TOO_MANY_REQUESTS',
  message: 'Too many requests from this address; try again in a few minutes.',
};

/** The web ACL of one stage of a merchant. It is in us-east-1, because CloudFront requires that. */
export class ProtectionStack extends Stack {
  readonly webAclArn: string;

  constructor(scope: Construct, { account, permissionsBoundary, ...owner }: ProtectionStackProps) {
    const { merchant, stage } = owner;
    super(scope, `tillstack-${merchant}-${stage}-protection`, {
      description: `Limits per address of Tillstack ${stage} of ${merchant}`,
      env: { region: 'us-east-1', ...(account && { account }) },
      crossRegionReferences: true,
      terminationProtection: stage === 'live',
    });
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      customResponseBodies: { throttled: { contentType: 'APPLICATION_JSON', content: JSON.stringify(throttled) } },
      visibilityConfig: visible('WebAcl'),
      rules: [
        rule('PublicPerAddress', 0, {
          limit: mostPublicPerAddress,
          scopeDownStatement: { orStatement: { statements: begins } },
        }),
        rule('PerAddress', 1, { limit: mostPerAddress }),
      ],
    });
    this.webAclArn = acl.attrArn;
    markStack(this, { ...owner, permissionsBoundary });
  }
}

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: true,
  metricName,
});

/**
 * Conditions for the prefixes. The path is decoded before matching, because API Gateway also decodes it before routing.
 */
const begins: CfnWebACL.StatementProperty[] = publicPrefixes.map((searchString) => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'STARTS_WITH',
    searchString,
    textTransformations: [{ priority: 0, type: 'URL_DECODE' }],
  },
}));

type Limit = Pick<CfnWebACL.RateBasedStatementProperty, 'limit' | 'scopeDownStatement'>;

const rule = (name: string, priority: number, limit: Limit): CfnWebACL.RuleProperty => ({
  name,
  priority,
  visibilityConfig: visible(name),
  statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: windowSeconds, ...limit } },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: 'throttled',
        responseHeaders: [{ name: 'retry-after', value: String(windowSeconds) }],
      },
    },
  },
});
