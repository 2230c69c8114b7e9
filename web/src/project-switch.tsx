/** Chooses the project that the dashboard shows, where there are several. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Boxes, Check, ChevronsUpDown } from 'lucide-react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { answerOf, api } from './api/client.ts'
import { t } from './texts/t.ts'
import { useUrlState } from './ui/url-state.ts'

const ALL = 'all'

export function ProjectSwitch() {
  const [{ project = '' }] = useUrlState()
  const choose = useChoose()
  const projects = useQuery({
    queryKey: ['projects', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/v1/projects', { params: { query: { limit: 100 } }, signal })),
  })
  const found = projects.data?.data ?? []
  if (found.length < 2 && project === '') return null
  const all = { id: '', name: t('All projects') }
  const choices = [all, ...found]
  const shown = choices.find(({ id }) => id === project)?.name ?? t('Unknown project')
  return (
    <MenuTrigger>
      <AriaButton className="account project" aria-label={t('Project: {name}', { name: shown })}>
        <Boxes size={16} aria-hidden />
        <span className="grow cut strong">{shown}</span>
        <ChevronsUpDown size={14} aria-hidden />
      </AriaButton>
      <Popover placement="bottom start">
        <Menu
          className="menu"
          aria-label={t('Project')}
          selectionMode="single"
          selectedKeys={[project || ALL]}
          onAction={(key) => choose(key === ALL ? undefined : String(key))}
        >
          {choices.map(({ id, name }) => (
            <MenuItem key={id} id={id || ALL} className="menu-item" textValue={name}>
              <span className="grow cut">{name}</span>
              {id === project && <Check size={14} aria-hidden />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Leads to the list that the screen belongs to: one thing of a project is not in another one. */
function useChoose(): (project: string | undefined) => void {
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return (project) => {
    const to = path.split('/').slice(0, 3).join('/')
    void navigate({ to, search: { project } as never })
  }
}
