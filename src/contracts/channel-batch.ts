/** Changes of several channels at once in the API and the forms: by ids, by tag. */
import { z } from 'zod'
import { bodyOf } from './body.ts'
import { CHANNEL_NAME_MAX, ChannelStatus, channelFields } from './channel.ts'

export const CHANNEL_IDS_MAX = 10_000

const ids = z
  .array(z.int().min(1), 'channel.select_first')
  .min(1, 'channel.select_first')
  .max(CHANNEL_IDS_MAX, 'channel.ids_too_many')

const newTag = z.string().trim().max(CHANNEL_NAME_MAX, 'channel.text_too_long')
const tag = newTag.min(1, 'channel.tag_required')

export const ChannelIds = bodyOf(z.object({ ids }))

/** An empty tag, or null, takes the channels out of theirs. */
export const BatchTag = bodyOf(z.object({ ids, tag: newTag.nullish().transform(text => text ?? '') }))

export const TagName = bodyOf(z.object({ tag }))

/** An empty list or mapping stays unchanged, as an absent one does. */
const orUnchanged = <Field extends z.ZodType>(field: Field) =>
  z.union([z.literal('').transform(() => undefined), z.tuple([]).transform(() => undefined), field]).optional()

const { models, group, model_mapping, priority, weight } = channelFields.shape

/** Absent and null fields stay unchanged; an empty `new_tag` dissolves the tag. */
export const TagChange = bodyOf(
  z.object({
    tag,
    new_tag: newTag.optional(),
    models: orUnchanged(models),
    groups: orUnchanged(group),
    model_mapping: orUnchanged(model_mapping),
    priority: priority.optional(),
    weight: weight.optional(),
  }),
  [],
  body => Object.fromEntries(Object.entries(body).filter(([, field]) => field !== null)),
)

/** The status that a batch gives. */
export const BatchStatus = z.literal([ChannelStatus.enabled, ChannelStatus.disabled])
