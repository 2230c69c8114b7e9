/**
 * Keys that work on every screen: `/` goes to the search, `j` and `k` into the list, `?` lists the
 * keys, Ctrl-K opens the palette, which goes anywhere by a few letters.
 */
import { useNavigate } from '@tanstack/react-router'
import { Fragment, useEffect, useState } from 'react'
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components'
import { t } from '../texts/t.ts'
import { Dialog } from './dialog.tsx'

export interface Place {
  to: string
  label: string
}

type Shown = 'keys' | 'palette' | null

export function Keys({ places }: { places: readonly Place[] }) {
  const [shown, setShown] = useState<Shown>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault()
        setShown('palette')
      } else if (!event.ctrlKey && !event.metaKey && !event.altKey && !isWriting(event.target)) {
        if (event.key === '?') setShown('keys')
        else if (focusFor(event.key)) event.preventDefault()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const close = (): void => setShown(null)
  if (shown === 'palette') return <Palette places={places} onClose={close} />
  if (shown === 'keys') return <KeyList onClose={close} />
  return null
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  )
}

function focusFor(key: string): boolean {
  const selector = { '/': 'input[type=search]', j: '[role=grid]', k: '[role=grid]' }[key]
  const target = selector === undefined ? null : document.querySelector<HTMLElement>(selector)
  target?.focus()
  return target !== null
}

function KeyList({ onClose }: { onClose: () => void }) {
  const keys = [
    [['/'], t('Search')],
    [['j', 'k'], t('Next and previous row')],
    [['Enter'], t('Open the row')],
    [['Esc'], t('Close, or go back')],
    [['Ctrl', 'K'], t('Go anywhere')],
    [['?'], t('This list')],
  ] as const
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <dl className="facts">
        {keys.map(([names, what]) => (
          <Fragment key={what}>
            <dt className="row tight">
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}

function Palette({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const navigate = useNavigate()
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const found = places.filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
  function go(place: Place | undefined): void {
    if (place === undefined) return
    onClose()
    void navigate({ to: place.to })
  }
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="modal palette">
        <AriaDialog aria-label={t('Go anywhere')}>
          <input
            className="input"
            autoFocus
            role="combobox"
            aria-expanded
            aria-controls="palette-list"
            aria-activedescendant={found[at] && `palette-${at}`}
            aria-label={t('Where to?')}
            placeholder={t('Where to?')}
            value={wanted}
            onChange={(event) => {
              setWanted(event.target.value)
              setAt(0)
            }}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1))
              else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
              else if (event.key === 'Enter') go(found[at])
              else return
              event.preventDefault()
            }}
          />
          <ul id="palette-list" role="listbox" aria-label={t('Places')}>
            {found.map((place, index) => (
              <li
                key={place.to}
                id={`palette-${index}`}
                role="option"
                aria-selected={index === at}
                className="menu-item"
                data-focused={index === at || undefined}
                onClick={() => go(place)}
              >
                {place.label}
              </li>
            ))}
          </ul>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
