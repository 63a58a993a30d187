import type { Construct } from 'constructs';
import { MerchantStack, type MerchantStackProps } from './merchant-stack.ts';
import { ProtectionStack } from './protection-stack.ts';

/** The stack of a stage; one that is protected has the web ACL in a second stack, which is deployed before it. */
export function addStacks(app: Construct, props: Omit<MerchantStackProps, 'webAclArn'>): MerchantStack {
  const { config, stage } = props;
  if (!config.stages[stage].protection) return new MerchantStack(app, props);
  const { webAclArn } = new ProtectionStack(app, { merchant: config.merchant.id, stage });
  return new MerchantStack(app, { ...props, webAclArn });
}
