/** Save bar: number of changes and errors, discarding, and saving the changed sections together. Scripts fill it. */
import CircleAlert from 'lucide/dist/esm/icons/circle-alert.mjs'
import { DiscardDialog } from '../../client/components/drawer.tsx'
import { Icon } from '../../client/components/icon.tsx'
import { Form } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { SAVE_PATH, type SettingsTab, tabAt } from './view.ts'

export function SaveBar({ tab, errors }: { tab: SettingsTab; errors: number }) {
  const { t } = usePageContext()
  return (
    <div
      className="save-bar settings-save"
      hidden
      data-one={t('settings.one_change')}
      data-one-section={t('settings.changes_here', { count: '{n}' })}
      data-many={t('settings.changes_in', { count: '{n}', sections: '{s}' })}
    >
      {errors > 0 && (
        <span className="error-text">
          <Icon of={CircleAlert} />
          {t('settings.errors', { count: errors })}
        </span>
      )}
      <span className={errors > 0 ? 'ink-2 wide-only' : 'ink-2'} role="status" />
      <span className="flex-1" />
      <a className="btn btn-ghost" href={tabAt(tab)} data-discard>
        {t('ui.discard_them')}
      </a>
      <Form action={SAVE_PATH} returnTo={tabAt(tab)} className="contents" data-all>
        <button type="submit" className="btn btn-primary">
          {t('settings.save')}
        </button>
      </Form>
      <DiscardDialog mark="data-leave" />
    </div>
  )
}
