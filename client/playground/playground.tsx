/** The playground: conversation, composer, settings, and what opens over them. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { LoggedMessage } from '../../src/contracts/logged-messages.ts'
import {
  PLAYGROUND_MODEL_DEFAULT,
  PLAYGROUND_MODELS_PATH,
  type PlaygroundGroup,
} from '../../src/contracts/playground.ts'
import type { OfferedModel } from '../../src/contracts/pricing.ts'
import { usePageContext } from '../components/page-context.tsx'
import { callApi } from '../query.ts'
import { CodeView } from './code-view.tsx'
import { Composer } from './composer.tsx'
import { answersOf, chatBody, isRunning, type Settings } from './conversation.ts'
import { ConversationList } from './conversation-list.tsx'
import { ConversationView } from './conversation-view.tsx'
import { loggedConversation, loggedDraft } from './logged-call.ts'
import { Overlay } from './overlay.tsx'
import { PlaygroundHead, type PlaygroundOverlay } from './playground-head.tsx'
import { type MessageDraft, PlaygroundSession } from './session.ts'
import { PlaygroundContextProvider } from './session-context.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { Spending } from './spending.tsx'

export interface PlaygroundProps {
  user_id: number
  /** Where clients point: `https://api.example.com/v1`. */
  base: string
  groups: PlaygroundGroup[]
  /** The group and the model to begin with; the model is empty when the group has none. */
  group: string
  model: string
  /** Models of `group`. */
  models: OfferedModel[]
  /** The address has named group or model: the settings of the last visit do not apply. */
  chosen: boolean
  /** Of a call of the usage log; empty without one. */
  messages: LoggedMessage[]
}

export default function Playground(props: PlaygroundProps) {
  const { user_id, base, groups, chosen: isChosen, messages } = props
  const [session] = useState(() => new PlaygroundSession(user_id, loggedConversation(messages, settingsOf(props))))
  const { conversation, conversations } = useSyncExternalStore(session.subscribe, session.get, session.get)
  const models = useModels(props, conversation.settings.group)
  const chosen = useChosen(models, conversation.settings)
  const [overlay, setOverlay] = useState<PlaygroundOverlay>()
  const [opened, openReceipt] = useState<string>()
  const [draft, setDraft] = useState<MessageDraft>({ text: loggedDraft(messages), images: [] })
  useEffect(() => {
    void session.load(!isChosen)
    return () => session.close()
  }, [session, isChosen])
  const context = useMemo(() => ({ session, chosen, opened, openReceipt }), [session, chosen, opened])
  const running = answersOf(conversation).some(isRunning)
  const settings = <SettingsPanel settings={conversation.settings} groups={groups} models={models} />
  const close = () => setOverlay(undefined)
  return (
    <PlaygroundContextProvider value={context}>
      <div className="playground">
        <div className="playground-main">
          <PlaygroundHead conversation={conversation} open={setOverlay} />
          <ConversationView conversation={conversation} />
          <Composer draft={draft} change={setDraft} running={running} />
        </div>
        <Side>
          {settings}
          <Spending conversation={conversation} opened={opened} />
        </Side>
      </div>
      <Opened of={overlay} close={close}>
        {overlay === 'settings' && <div className="side-fields">{settings}</div>}
        {overlay === 'conversations' && (
          <ConversationList conversations={conversations} current={conversation.id} close={close} />
        )}
        {overlay === 'code' && <CodeView base={base} body={nextBody(conversation, draft, chosen[0]?.name ?? '')} />}
      </Opened>
    </PlaygroundContextProvider>
  )
}

const settingsOf = ({ group, model }: PlaygroundProps): Settings => ({
  group,
  models: model ? [model] : [],
  temperature: 0,
  max_tokens: 0,
  system: '',
})

const NONE: OfferedModel[] = []

function useModels({ group, models, groups }: PlaygroundProps, chosen: string): OfferedModel[] {
  const { data } = useQuery({
    queryKey: ['playground-models', chosen],
    queryFn: () =>
      callApi<OfferedModel[]>('GET', `${PLAYGROUND_MODELS_PATH}?${new URLSearchParams({ group: chosen })}`),
    initialData: chosen === group ? models : undefined,
    enabled: groups.some(({ name }) => name === chosen),
  })
  return data ?? NONE
}

/** The chosen models that are offered; the default in place of another one. */
function useChosen(models: OfferedModel[], settings: Settings): OfferedModel[] {
  return useMemo(() => {
    const find = (wanted: string) => models.find(({ name }) => name === wanted)
    const other = find(PLAYGROUND_MODEL_DEFAULT) ?? models[0]
    const wanted = settings.models.length ? settings.models : ['']
    return other ? wanted.map(name => find(name) ?? other) : NONE
  }, [models, settings.models])
}

/** The request that the composer would send. */
function nextBody(conversation: Parameters<typeof chatBody>[0], draft: MessageDraft, model: string) {
  const { turns } = conversation
  const isAnswered = !draft.text && !draft.images.length && turns.length > 0
  const next = isAnswered ? turns : [...turns, { ...draft, id: '', answers: [] }]
  return chatBody({ ...conversation, turns: next }, next.length - 1, 0, model)
}

function Side({ children }: { children: ReactNode }) {
  const { t } = usePageContext()
  return (
    <aside className="playground-side side-fields" aria-label={t('playground.settings')}>
      {children}
    </aside>
  )
}

const titles = {
  settings: 'playground.settings',
  conversations: 'playground.conversations',
  code: 'playground.as_code',
} as const

function Opened({ of, close, children }: { of?: PlaygroundOverlay; close: () => void; children: ReactNode }) {
  const { t } = usePageContext()
  if (!of) return null
  return (
    <Overlay key={of} title={t(titles[of])} close={close}>
      {children}
    </Overlay>
  )
}
