/** What the address opens over the channel list for several channels, a tag, a test or a run. */
import type { ReactNode } from 'react'
import { DeleteMany, SetTag, SwitchTag, TagDrawer, TestDialog } from '../../../views/channels/batch-dialogs.tsx'
import { RunDrawer, type RunProgress } from '../../../views/channels/run.tsx'
import { notFound } from '../../contracts/refusal.ts'
import { currencyOf, namesOf, type RunKind, runOf, tagSummaries, tagsInUse } from '../../domain/channels/index.ts'
import { channelById } from '../../domain/routing/index.ts'
import { textOf } from '../../locales/index.ts'
import type { Language } from '../../locales/languages.ts'
import { type ChannelsPage, viewOf } from './query.ts'

export async function batchOverlay(page: ChannelsPage): Promise<ReactNode> {
  const { query, visit } = page
  const view = viewOf(query)
  if (query.run) return <RunDrawer view={view} kind={query.run} run={await progressOf(query.run, visit.language)} />
  if (query.test) return testDialog(page, query.test)
  if (query.edit_tag) return tagDrawer(page, query.edit_tag)
  if (query.switch_tag) return switchTagDialog(page, query.switch_tag)
  if (query.set_tag.length) return setTag(page, query.set_tag)
  if (query.delete_disabled !== undefined) return deleteMany(page, undefined)
  return query.delete_all.length > 0 && deleteMany(page, query.delete_all)
}

/** @param ids absent: every disabled channel. @throws Refusal 404 when none is left */
export async function deleteMany({ query }: ChannelsPage, ids: number[] | undefined, error?: string) {
  const channels = await namesOf(ids ? { ids } : { disabled: true })
  if (!channels.length) throw notFound('channel.gone')
  return <DeleteMany view={viewOf(query)} channels={channels} disabled={!ids} error={error} />
}

/** @throws Refusal 404 */
export async function setTag({ query }: ChannelsPage, ids: number[], error?: string) {
  const channels = await namesOf({ ids })
  if (!channels.length) throw notFound('channel.gone')
  return <SetTag view={viewOf(query)} channels={channels} tags={await tagsInUse()} error={error} />
}

/** @throws Refusal 404 */
export async function tagDrawer(
  { query }: ChannelsPage,
  tag: string,
  typed?: Record<string, unknown>,
  errors?: Record<string, string>,
) {
  const [summary] = await tagSummaries([tag])
  if (!summary) throw notFound('channel.gone')
  const values = typed ?? { new_tag: tag, priority: summary.priority, weight: summary.weight }
  return <TagDrawer view={viewOf(query)} tag={tag} count={summary.count} values={values} errors={errors} />
}

/** @throws Refusal 404 */
async function switchTagDialog({ query }: ChannelsPage, tag: string) {
  const [summary] = await tagSummaries([tag])
  if (!summary) throw notFound('channel.gone')
  return <SwitchTag view={viewOf(query)} tag={tag} count={summary.count} enabled={summary.enabled} />
}

async function testDialog({ query }: ChannelsPage, id: number) {
  const channel = await channelById(id)
  if (!channel) throw notFound('channel.gone')
  const { name, test_model, models } = channel
  const all = [...new Set([...(test_model ? [test_model] : []), ...models])]
  return <TestDialog view={viewOf(query)} id={id} name={name} models={all} model={all[0] ?? ''} />
}

/** @returns undefined when there was no run within a day */
export async function progressOf(kind: RunKind, language: Language): Promise<RunProgress | undefined> {
  const run = await runOf(kind)
  if (!run) return undefined
  const results = run.results.map(async ({ failure, ...result }) => ({
    ...result,
    currency: kind === 'balance' ? await currencyOf(result.id) : undefined,
    failure: failure && textOf(language, failure),
    status: failure && (await channelById(result.id))?.status,
  }))
  return { ...run, kind, results: await Promise.all(results) }
}
