//! What the reader takes away: files that the page hands over.

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;

use crate::{Page, Pixels};

/// A file as the page handed it over.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Taken {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub kind: String,
    /// Its text, or an empty one where it is a picture of pixels.
    pub text: String,
}

impl Page {
    /// Has files that the page hands over kept in the page, from now on until it is left, rather than saved.
    pub async fn catch_files(&self) -> Result<()> {
        self.driver()
            .execute(
                "if (window.taken) { window.taken.length = 0; return; }
                const blobs = new Map();
                const make = URL.createObjectURL;
                const click = HTMLElement.prototype.click;
                window.taken = [];
                URL.createObjectURL = blob => {
                    const address = make.call(URL, blob);
                    blobs.set(address, blob);
                    return address;
                };
                HTMLAnchorElement.prototype.click = function () {
                    const blob = blobs.get(this.href);
                    if (this.download && blob) window.taken.push({ name: this.download, blob });
                    else click.call(this);
                };",
                vec![],
            )
            .await?;
        Ok(())
    }

    /// The last file that the page handed over, as soon as there are `count` since [`Page::catch_files`].
    pub async fn file(&self, count: usize) -> Result<Taken> {
        self.wait_until(
            &format!("{count} files are handed over"),
            &format!("window.taken.length >= {count}"),
        )
        .await?;
        self.eval(
            "(async ({ name, blob }) => ({
                name,
                kind: blob.type,
                text: blob.type.startsWith('image/png') ? '' : await blob.text(),
            }))(window.taken.at(-1))",
        )
        .await
    }

    /// What is drawn on the last file, a picture.
    pub async fn file_pixels(&self) -> Result<Pixels> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
            createImageBitmap(window.taken.at(-1).blob).then(picture => {{
                const element = document.createElement('canvas');
                element.width = picture.width;
                element.height = picture.height;
                element.getContext('2d').drawImage(picture, 0, 0);
                done((() => {{ {} }})());
            }});",
            Pixels::COUNT
        );
        let value = self
            .driver()
            .execute_async(script, vec![json!(null)])
            .await?;
        Ok(value.convert()?)
    }
}
