{
const look = { scheme: 'auto', size: '100', face: 'auto' }, { dataset, style } = document.documentElement
try { Object.assign(look, JSON.parse(localStorage.threadsite)) } catch {}
Object.assign(dataset, look)
if (look.scheme !== 'auto') style.colorScheme = look.scheme
if (look.size !== '100') style.fontSize = look.size + '%'
const { src } = document.currentScript.dataset
requestAnimationFrame(() => setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src }))))
}
