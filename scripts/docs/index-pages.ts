export function indexPages(): Record<string,string> { return {} }
