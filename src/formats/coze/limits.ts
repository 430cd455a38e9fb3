/** What Coze's bots cannot carry. https://www.coze.cn/docs/developer_guides/chat_v3 (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { cut, noHosted, ownMedia, unstored } from '../translate/losses.ts'

const ofBot = 'The bot decides.'

export const limits: FormatLimits = {
  stop: () => [],
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      top_k: ofBot,
      seed: ofBot,
      penalties: ofBot,
      logit_bias: ofBot,
      logprobs: 'There is no such field.',
      modalities: ofBot,
      verbosity: ofBot,
      parallel_tools: 'There are no functions.',
      names: 'Messages have no names.',
      cache_marks: 'There is no such field.',
      image_detail: ofBot,
      citation_wish: ofBot,
      error_mark: 'There are no functions.',
      old_citations: 'There is no such field.',
    },
    refused: {
      tools: 'Only the tools of the bot are called.',
      choices: 'A bot gives one answer.',
      stored_conversation: unstored,
    },
    changed: {
      sampling: 'Temperature, `top_p`, the limit of output and the effort of reasoning are those of the bot.',
      conversation:
        'Coze keeps the conversation: its id is the response header `x-tollgate-conversation`. A client that hands it back as `metadata.conversation_id` (Gemini: `labels`) sends only its last message, with the same `user`; otherwise all messages are sent.',
      user: 'Coze gets a pseudonym of the gateway’s user, followed by `user` if the client sets one: a conversation continues for the same user alone.',
      system: 'There is no role for instructions: they stand before the first message of the user.',
      output: 'JSON, with a schema or without, is requested in the first message.',
      files: 'Files without an address are uploaded before the call.',
      stop: `There is no such field. ${cut}`,
      own_media: ownMedia,
      hosted_tools: noHosted,
    },
    omitted: {},
  },
}
