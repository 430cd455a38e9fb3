/** GitHub's models. */

import { baseOf } from './address.ts'
import { asking, namesIn } from './inquiry.ts'
import { listed } from './models.ts'
import { bearer, openAiCompatible, plainly } from './openai.ts'
import type { Line } from './provider.ts'

const HOME = 'https://models.github.ai'
const OLD_HOME = 'https://models.inference.ai.azure.com'

function rootOf(base: string): string {
  if (base.startsWith(HOME)) return '/inference'
  return base.startsWith(OLD_HOME) ? '' : '/v1'
}

/** On behalf of an organisation, where the channel names one. */
const under = ({ other }: Line, base: string) =>
  other && base.startsWith(HOME) ? `${base}/orgs/${encodeURIComponent(other)}` : base

export const gitHub = openAiCompatible({
  type: 49,
  label: 'GitHub Models',
  base_url: HOME,
  key_format: 'github_pat_…',
  models: listed(49),
  authorize: line => ({ ...bearer(line), accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }),
  address: (base, path, _, line) => under(line, base) + rootOf(base) + path,
  offers: plainly('chat', 'embeddings'),
  listModels: asking(line => `${baseOf(line, HOME)}/catalog/models`, namesIn('', 'id')),
})
