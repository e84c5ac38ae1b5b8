//! What is drawn on a canvas.

use serde::Deserialize;

/// The colours of a canvas, counted pixel by pixel.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Pixels {
    /// Width of the drawing buffer, in device pixels.
    pub width: u32,
    /// Height of the drawing buffer, in device pixels.
    pub height: u32,
    /// Each colour as `#rrggbbaa` with the number of its pixels, the most frequent first.
    pub colours: Vec<(String, u32)>,
}

impl Pixels {
    /// Counts the pixels of the canvas `element`; a JavaScript function of that element.
    pub(crate) const COUNT: &str = r"
        const { width, height } = element;
        const data = width && height
            ? new Uint32Array(element.getContext('2d').getImageData(0, 0, width, height).data.buffer)
            : [];
        const counts = new Map();
        for (const pixel of data) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
        const hex = byte => (byte & 255).toString(16).padStart(2, '0');
        const colours = [...counts]
            .sort((a, b) => b[1] - a[1])
            .map(([p, n]) => ['#' + [p, p >>> 8, p >>> 16, p >>> 24].map(hex).join(''), n]);
        return { width, height, colours };
    ";

    /// The number of pixels of a colour, given as `#rrggbb` (opaque) or `#rrggbbaa`.
    pub fn count(&self, colour: &str) -> u32 {
        let wanted = match colour.len() {
            7 => format!("{colour}ff"),
            _ => colour.to_owned(),
        };
        self.colours
            .iter()
            .find(|(colour, _)| colour.eq_ignore_ascii_case(&wanted))
            .map_or(0, |(_, count)| *count)
    }

    /// The share of pixels that are not of the most frequent colour, from 0 (blank) to below 1.
    pub fn drawn(&self) -> f64 {
        let total: u32 = self.colours.iter().map(|(_, count)| count).sum();
        match self.colours.first() {
            Some((_, ground)) => f64::from(total - ground) / f64::from(total),
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pixels;

    fn pixels(colours: &[(&str, u32)]) -> Pixels {
        Pixels {
            width: 4,
            height: 5,
            colours: colours
                .iter()
                .map(|(colour, n)| ((*colour).to_owned(), *n))
                .collect(),
        }
    }

    #[test]
    fn what_is_drawn_stands_out_from_the_ground() {
        assert_eq!(pixels(&[]).drawn(), 0.0);
        assert_eq!(pixels(&[("#ffffffff", 20)]).drawn(), 0.0);
        assert_eq!(pixels(&[("#ffffffff", 15), ("#d62728ff", 5)]).drawn(), 0.25);
    }

    #[test]
    fn a_colour_without_alpha_is_opaque() {
        let drawn = pixels(&[("#ffffff00", 15), ("#d62728ff", 5)]);
        assert_eq!(drawn.count("#D62728"), 5);
        assert_eq!(drawn.count("#ffffff"), 0);
        assert_eq!(drawn.count("#ffffff00"), 15);
    }
}
