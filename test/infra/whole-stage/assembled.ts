import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { loadMerchantConfig, MerchantConfig } from '../../../infra/merchant-config.ts';
import { addStacks } from '../../../infra/stacks.ts';
import type { Stage } from '../../../shared/domain/merchant.ts';
import { fakeCode, quickApp, type Resource, testVersion } from '../synthesized.ts';
import { keptStacks } from './kept-stacks.ts';

type TemplateJson = ReturnType<Template['toJSON']>;

interface Assembling {
  stage: Stage;
  /** What the merchant's file says of the stage. */
  settings: object;
  /** What it says of the merchant beside the identity of the demo. */
  merchant?: object;
  version?: string;
}

/** A resource, with the file of its template and its logical id. */
export interface Placed extends Resource {
  /** `tillstack-demo-live-protection.template.json WebAcl` */
  path: string;
}

/** A stage as `cdk synth` writes it. */
interface Assembly {
  stacks: Pick<CloudFormationStackArtifact, 'assumeRoleArn' | 'environment' | 'tags'>[];
  /** The templates of the stacks and of their nested stacks, by their files. */
  templates: Record<string, TemplateJson>;
  /** What is published for them. */
  assets: Assets[];
}

interface Assets {
  files?: Record<string, { destinations: Record<string, { assumeRoleArn: string }> }>;
  dockerImages?: object;
}

const keptAssembly = keptStacks<Assembly>(
  'assemblies',
  'test/infra/synthesized.ts',
  'test/infra/whole-stage/assembled.ts',
);

/** A stage with its settings as they are read from a merchant's file. */
export function assemble(assembling: Assembling) {
  const { stage, settings, merchant } = assembling;
  const { id, name, country } = loadMerchantConfig('demo').merchant;
  const config = MerchantConfig.parse({
    merchant: { id, name, country, ...merchant },
    stages: { [stage]: settings },
  });
  return { ...keptAssembly(assembling, () => written(config, assembling)), settings: config.stages[stage] };
}

function written(config: MerchantConfig, { stage, version = testVersion }: Assembling): Assembly {
  const app = quickApp();
  addStacks(app, { config, stage, code: fakeCode, version });
  const { stacks, directory } = app.synth();
  const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: directory }).sort();
  const read = (file: string) => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  return {
    stacks: stacks.map(({ assumeRoleArn, environment, tags }) => ({ assumeRoleArn, environment, tags })),
    templates: Object.fromEntries(filesOf('*.template.json').map((file) => [file, read(file)])),
    assets: filesOf('*.assets.json').map(read),
  };
}

/** Every resource of every template. */
export const resourcesIn = (templates: Readonly<Record<string, TemplateJson>>): Placed[] =>
  Object.entries(templates).flatMap(([file, { Resources: resources }]) =>
    Object.entries<Resource>(resources).map(([id, resource]) => ({ ...resource, path: `${file} ${id}` })),
  );
