-- page: the page of the figures: a section each, with its pictures in it; nothing else is needed to read it.
local page = {}

local function escaped(text) return (text:gsub("[&<>\"]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"})) end

-- An SVG as part of the page: without its head; its names made its own, as several pictures have the same.
local function inlined(file, prefix)
    local f = assert(io.open(file))
    local text = f:read("a")
    f:close()
    text = text:gsub("^.-(<svg)", "%1", 1)
    text = text:gsub("id='([^']*)'", "id='" .. prefix .. "%1'"):gsub('id="([^"]*)"', 'id="' .. prefix .. '%1"')
    return (text:gsub("xlink:href='#", "xlink:href='#" .. prefix):gsub("url%(#", "url(#" .. prefix))
end

function page.section(f, pictures, tabled, notes, listing)
    local parts = {('<section id="%s">\n<h2>%s</h2>\n<p class="paper"><b>The paper:</b> %s</p>\n'):format(f.name, escaped(f.title), escaped(f.paper))}
    local function add(text) parts[#parts + 1] = text end
    for i, p in ipairs(pictures) do
        add(("<figure>\n%s"):format(inlined(p.file, f.name .. i)))
        if p.says then add(("<figcaption>%s</figcaption>\n"):format(escaped(p.says))) end
        add("</figure>\n")
    end
    if tabled then add("<pre>" .. escaped(tabled) .. "</pre>\n") end
    if listing then add("<pre>" .. escaped(listing) .. "</pre>\n") end
    if #notes > 0 then
        add("<ul>\n")
        for _, note in ipairs(notes) do add("<li>" .. escaped(note) .. "</li>\n") end
        add("</ul>\n")
    end
    add(('<p class="again"><code>scripts/figures %s</code>, <a href="%s.tsv">%s.tsv</a></p>\n</section>\n'):format(f.name, f.name, f.name))
    return table.concat(parts)
end

local head = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The papers' figures, by lathe</title>
<style>
body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222; }
h2 { margin-top: 2.5em; border-bottom: 1px solid #ccc; }
figure { margin: 1em 0; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
figcaption, .again { color: #555; font-size: 90%; }
.paper { background: #f4f4f4; padding: 0.6em 1em; border-left: 4px solid #0072B2; }
pre { overflow-x: auto; font-size: 85%; line-height: 1.3; }
</style>
</head>
<body>
<h1>The papers' figures, by lathe</h1>
<p>Each figure beside what the paper's own shows, in our words. Ours are of the machine that made this page; ratios are what to compare.</p>
]]

function page.whole(parts) return head .. table.concat(parts) .. "</body>\n</html>\n" end

return page
