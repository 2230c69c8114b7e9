/** The web pages as they were built, and the router that serves them. */
import { createPagesRouter, type PageAnswer } from '@posthorn/http/pages-router'
import type { Router } from '@posthorn/http/router'
import { PAGES_FOLDER, type PageFiles, readPageFiles, readShell } from './page-files.ts'
import { answerDashboard, createPages } from './pages.ts'

export interface Pages {
  pageFiles: PageFiles
  pages: Router
}

export function openPages(): Pages {
  const pageFiles = readPageFiles(PAGES_FOLDER)
  return { pageFiles, pages: createPagesRouter(createPages(pageFiles)) }
}

/** The dashboard's page alone, for a path that another router serves. */
export function openDashboard(): () => PageAnswer {
  const shell = readShell(PAGES_FOLDER, 'dashboard')
  return () => answerDashboard(shell)
}
