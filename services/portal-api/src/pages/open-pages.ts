/** The web pages as they were built, and the router that serves them. */
import { createPagesRouter } from '@posthorn/http/pages-router'
import type { Router } from '@posthorn/http/router'
import { PAGES_FOLDER, type PageFiles, readPageFiles } from './page-files.ts'
import { createPages } from './pages.ts'

export interface Pages {
  pageFiles: PageFiles
  pages: Router
}

export function openPages(): Pages {
  const pageFiles = readPageFiles(PAGES_FOLDER)
  return { pageFiles, pages: createPagesRouter(createPages(pageFiles)) }
}
