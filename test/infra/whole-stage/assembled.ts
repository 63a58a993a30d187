import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { loadMerchantConfig, MerchantConfig } from '../../../infra/merchant-config.ts';
import { addStacks } from '../../../infra/stacks.ts';
import type { Stage } from '../../../shared/domain/merchant.ts';
import { fakeCode, quickApp, type Resource, testVersion } from '../synthesized.ts';

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

/** Writes a stage as `cdk synth` does: its stacks, and their templates and those of nested stacks by their files. */
export function assemble({ stage, settings, merchant, version = testVersion }: Assembling) {
  const { id, name, country } = loadMerchantConfig('demo').merchant;
  const config = MerchantConfig.parse({
    merchant: { id, name, country, ...merchant },
    stages: { [stage]: settings },
  });
  const app = quickApp();
  addStacks(app, { config, stage, code: fakeCode, version });
  const { stacks, directory } = app.synth();
  const files = globSync('*.template.json', { cwd: directory }).sort();
  const read = (file: string): TemplateJson => JSON.parse(readFileSync(join(directory, file), 'utf8'));
  return {
    stacks,
    directory,
    settings: config.stages[stage],
    templates: Object.fromEntries(files.map((file) => [file, read(file)])),
  };
}

/** Every resource of every template. */
export const resourcesIn = (templates: Readonly<Record<string, TemplateJson>>): Placed[] =>
  Object.entries(templates).flatMap(([file, { Resources: resources }]) =>
    Object.entries<Resource>(resources).map(([id, resource]) => ({ ...resource, path: `${file} ${id}` })),
  );
