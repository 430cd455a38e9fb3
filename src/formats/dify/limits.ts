/** What Dify's apps cannot carry. https://docs.dify.ai/en/api-reference/chat-messages/send-chat-message (read 2026-11) */
import type { FormatLimits } from '../format.ts'
import { cut, noHosted, ownMedia, unstored } from '../translate/losses.ts'

const ofApp = 'The app decides.'

export const limits: FormatLimits = {
  stop: () => [],
  tool_name: { max: 64, refused: /[^\w-]/g },
  losses: {
    dropped: {
      top_k: ofApp,
      seed: ofApp,
      penalties: ofApp,
      logit_bias: ofApp,
      logprobs: 'There is no such field.',
      modalities: ofApp,
      verbosity: ofApp,
      parallel_tools: 'There are no functions.',
      names: 'Messages have no names.',
      cache_marks: 'There is no such field.',
      image_detail: ofApp,
      citation_wish: ofApp,
      error_mark: 'There are no functions.',
      old_citations: 'The conversation is sent as text.',
    },
    refused: {
      tools: 'Only the tools of the app are called.',
      choices: 'An app gives one answer.',
      stored_conversation: unstored,
    },
    changed: {
      sampling: 'Temperature, `top_p`, the limit of output and the effort of reasoning are those of the app.',
      conversation:
        'Dify keeps the conversation: its id is the response header `x-tollgate-conversation`. A client that hands it back as `metadata.conversation_id` (Gemini: `labels`) sends only its last message, with the same `user`; otherwise the earlier messages are written into the query, each after its role.',
      apps: 'A workflow or completion app gets a last message that is a JSON object as its inputs, any other as the input `query`; neither keeps a conversation.',
      user: 'Dify gets a pseudonym of the gateway’s user, followed by `user` if the client sets one: a conversation continues for the same user alone.',
      output: 'JSON, with a schema or without, is requested in the query.',
      files: 'Files without an address are uploaded before the call.',
      thoughts: 'Thoughts of an agent, and thinking that the answer shows in a block of its own, become reasoning.',
      replaced:
        'An answer that moderation replaces ends as filtered: streams have the replacement after what was sent, other responses have only the replacement.',
      stop: `There is no such field. ${cut}`,
      own_media: ownMedia,
      hosted_tools: noHosted,
    },
    omitted: {},
  },
}
