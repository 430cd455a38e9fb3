/** The address of the channels page: filters, page, and what is open over the list. */
import { z } from 'zod'
import { budgetOverlays } from '../../../views/budgets/view.ts'
import type { ChannelsView } from '../../../views/channels/view.ts'
import { CHANNEL_IDS_MAX } from '../../contracts/channel-batch.ts'
import { optional, pageOf } from '../../contracts/paging.ts'
import { runKinds } from '../../domain/channels/index.ts'
import { commaList } from '../../pure/lists.ts'
import type { PageRequest } from '../list-page.ts'

/** A comma list of ids: the ticked rows. */
const SelectedIds = optional.transform(text =>
  commaList(text ?? '')
    .map(Number)
    .filter(Number.isSafeInteger)
    .slice(0, CHANNEL_IDS_MAX),
)

const whole = z.coerce.number().pipe(z.int().positive()).optional().catch(undefined)

export const ChannelsQuery = z.object({
  p: optional,
  keyword: optional,
  group: optional,
  model: optional,
  status: whole,
  new: z.string().optional(),
  edit: whole,
  delete: whole,
  tag: optional,
  open: optional,
  test: whole,
  set_tag: SelectedIds,
  delete_all: SelectedIds,
  delete_disabled: z.string().optional(),
  edit_tag: optional,
  switch_tag: optional,
  ...budgetOverlays,
  run: z.enum(runKinds).optional().catch(undefined),
})

export type ChannelsPage = PageRequest<z.output<typeof ChannelsQuery>>

export const viewOf = ({ p, keyword, group, model, status, tag, open }: ChannelsPage['query']): ChannelsView => ({
  keyword,
  group,
  model,
  status,
  tag,
  open,
  page: pageOf({ p }, 1).page,
})
