/** Heading of the playground, with what can be done with the conversation. */
import Code from 'lucide/dist/esm/icons/code-xml.mjs'
import Download from 'lucide/dist/esm/icons/download.mjs'
import Ellipsis from 'lucide/dist/esm/icons/ellipsis.mjs'
import Eraser from 'lucide/dist/esm/icons/eraser.mjs'
import Plus from 'lucide/dist/esm/icons/plus.mjs'
import History from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs'
import Sliders from 'lucide/dist/esm/icons/sliders-horizontal.mjs'
import Sparkles from 'lucide/dist/esm/icons/sparkles.mjs'
import type { ComponentProps, ReactNode } from 'react'
import { MAKE_PATH } from '../../src/contracts/playground.ts'
import { Icon } from '../components/icon.tsx'
import { Menu } from '../components/menu.tsx'
import { usePageContext } from '../components/page-context.tsx'
import type { PlaygroundConversation } from './conversation.ts'
import { asJson, asMarkdown, download } from './export.ts'
import { usePlayground } from './session-context.tsx'

export type PlaygroundOverlay = 'settings' | 'conversations' | 'code'

interface PlaygroundHeadProps {
  conversation: PlaygroundConversation
  open: (overlay: PlaygroundOverlay) => void
}

export function PlaygroundHead({ conversation, open }: PlaygroundHeadProps) {
  const { t } = usePageContext()
  const { session } = usePlayground()
  const isEmpty = conversation.turns.length === 0
  return (
    <header className="playground-head">
      <h1>{t('playground.title')}</h1>
      <a className="btn btn-ghost make-beside" href={MAKE_PATH}>
        <Icon of={Sparkles} />
        <span>{t('playground.make')}</span>
      </a>
      <Action icon={Plus} disabled={isEmpty} onClick={() => session.start()}>
        {t('playground.start')}
      </Action>
      <Action icon={History} onClick={() => open('conversations')}>
        {t('playground.conversations')}
      </Action>
      <Action icon={Eraser} disabled={isEmpty} onClick={() => session.clearContext()}>
        {t('playground.clear')}
      </Action>
      <Menu id="playground-more" label={t('playground.more')} button={<Icon of={Ellipsis} />}>
        <a className="make-below" href={MAKE_PATH}>
          <Icon of={Sparkles} />
          {t('playground.make')}
        </a>
        <Entry icon={Code} onClick={() => open('code')}>
          {t('playground.as_code')}
        </Entry>
        <Entry
          icon={Download}
          disabled={isEmpty}
          onClick={() => download(conversation, 'md', asMarkdown(conversation, t))}
        >
          {t('playground.export_markdown')}
        </Entry>
        <Entry icon={Download} disabled={isEmpty} onClick={() => download(conversation, 'json', asJson(conversation))}>
          {t('playground.export_json')}
        </Entry>
      </Menu>
      <button
        type="button"
        className="btn open-settings"
        aria-label={t('playground.settings')}
        onClick={() => open('settings')}
      >
        <Icon of={Sliders} />
      </button>
    </header>
  )
}

type ActionProps = ComponentProps<'button'> & { icon: ComponentProps<typeof Icon>['of']; children: ReactNode }

/** Its word is read, and shown where there is room. */
const Action = ({ icon, children, ...rest }: ActionProps) => (
  <button type="button" className="btn btn-ghost" {...rest}>
    <Icon of={icon} />
    <span>{children}</span>
  </button>
)

/** Closes the menu and acts. */
const Entry = ({ icon, children, onClick, ...rest }: ActionProps) => (
  <button type="button" popoverTarget="playground-more" popoverTargetAction="hide" onClick={onClick} {...rest}>
    <Icon of={icon} />
    {children}
  </button>
)
